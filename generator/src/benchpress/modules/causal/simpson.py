"""Simpson's paradox: counts by stratum and treatment, and whether the pooled or the stratified comparison is right.

Structure: one to four stratifying variables, each a cause of treatment and outcome, a mediator, a common effect, or
harmless, often through unrecorded variables. The same table has another answer under another graph.
Keys: adjustment criterion and standardisation in exact fractions; confirmed by weighting every case by the inverse
chance of its treatment, and by regressions on every subset in a generic population.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.adjustment import is_adjustment_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.items import Json
from benchpress.modules.causal import checks_counted as checks
from benchpress.modules.causal import counted
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.counted import Counted, draw_counts
from benchpress.modules.causal.gadgets import Gadget, build
from benchpress.streams import Stream
from benchpress.wording.counts import CountTable
from benchpress.wording.definitions import Definition
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Unmeasured, Variables
from benchpress.wording.sets import NamedSets
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 50)
"""Differences keep this far from zero, and wrong comparisons this far from the effect."""

# z is the stratifying variable, T the treatment, Y the outcome, capitals else are unrecorded. Every pattern leaves the
# trace in the counts that its kind says, whatever the other stratifying variables are.
PATTERNS: Mapping[int, tuple[Gadget, ...]] = {
    counted.CAUSE: (
        ("z>T", "z>Y"),
        ("U>T", "U>z", "z>Y"),
        ("z>T", "U>z", "U>Y"),
        ("z>T", "z>U", "U>Y"),
        ("z>U", "U>T", "z>Y"),
    ),
    counted.BETWEEN: (("T>z", "z>Y"), ("T>U", "U>Y", "U>z"), ("T>U", "U>z", "z>Y"), ("T>z", "z>U", "U>Y")),
    counted.EFFECT: (("T>z", "Y>z"), ("T>U", "U>z", "Y>z"), ("T>z", "Y>U", "U>z"), ("T>U", "U>z", "Y>V", "V>z")),
    counted.TRACE: (("Y>z",), ("Y>U", "U>z")),
    counted.OF_OUTCOME: (("z>Y",), ("U>z", "U>Y"), ("z>U", "U>Y")),
    counted.OF_TREATMENT: (("z>T",), ("U>z", "U>T"), ("z>U", "U>T")),
    counted.BY_TREATMENT: (("T>z",), ("T>U", "U>z")),
}
M_SHAPED: tuple[Gadget, ...] = (("U>T", "U>z", "V>z", "V>Y"), ("T>z", "V>z", "V>Y"), ("U>T", "U>z", "Y>z"))
"""Common effects of unrecorded causes; alone in its table, such a variable may relate to both sides in any way."""
FILLERS: tuple[Gadget, ...] = (("U>T",), ("U>Y",), ("Y>U",), ("T>U",), ("T>U", "U>Y"), ("T>U", "Y>U"), ("U>T", "U>V"))

HARMFUL = (counted.BETWEEN, counted.EFFECT, counted.TRACE)
HARMLESS = (counted.OF_OUTCOME, counted.OF_TREATMENT, counted.BY_TREATMENT)
USES = ("pooled", "stratified", "both", "neither")


class Simpson(Bundle):
    name = "simpson"
    summary = "when to aggregate and when to stratify: reversals in tables of counts, and what the graph makes of them"
    parts: ClassVar = {
        "REVERSAL": "verdict",
        "EFFECT": "number",
        "USE": "verdict",
        "STRATUM_1": "number",
        "STRATUM_2": "number",
    }
    claims = Claims(
        {
            "right": Saying(
                "the {way} comparison gives the total effect",
                "one should go by the {way} comparison for the total effect",
            ),
            "enough": Saying("stratifying by {chosenset} and averaging over the strata gives the total effect"),
            "against": Saying(
                "in exactly {number} of the full strata the difference has the opposite sign to the pooled one"
            ),
            "stratum": Saying("among cases with {stratum} the difference is {value} (to three decimals)"),
        }
    )
    sections = (
        Variables(),
        Edges(),
        Unmeasured(),
        Roles("treatment", "outcome"),
        NamedSets(
            {
                "strata": Saying(
                    "Stratifying variables: {names}.",
                    "The table is split by: {names}.",
                    "Cases are grouped by: {names}.",
                ),
                "compared": Saying(
                    "Coarser strata: {names}.",
                    "A coarser grouping uses only: {names}.",
                    "Somebody proposes to group by these only: {names}.",
                ),
            }
        ),
        CountTable(),
        Definition(
            "The difference means P({outcome} = 1 | {treatment} = 1) - P({outcome} = 1 | {treatment} = 0). A full "
            "stratum is one combination of all stratifying variables. The pooled comparison takes the difference among "
            "all cases; the stratified comparison takes it in every full stratum and averages by the strata's shares "
            "of all cases. Sets of stratifying variables are judged by the adjustment criterion."
        ),
        claims,
    )
    methods = (
        "adjustment criterion and standardisation in fractions",
        "inverse probability weighting and regression on every subset in a generic population",
    )

    def knobs(self, level: int) -> Mapping[str, int]:
        return {"strata": 1 + (level + 1) // 3, "nodes": 3 + (4 * level + 2) // 5, "links": level // 4}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        count = knobs["strata"]
        reverse = stream.chance(1, 2)
        uses = ("pooled", "stratified", *["neither"] * ((level + 2) // 4)) if count > 1 else ("pooled", "stratified")
        if variant == "trap":
            # The table tempts: a reversal where the strata mislead, none where they are needed.
            use = stream.choice([use for use in uses if use != ("stratified" if reverse else "pooled")])
        else:
            use = "both" if not reverse and stream.chance(1, 4 + level // 2) else stream.choice(uses)
        kinds = _kinds(stream, use, count, opposed=reverse)
        plan: list[Sequence[Gadget]] = [PATTERNS[kind] for kind in kinds]
        if count == 1 and kinds[0] == counted.EFFECT and stream.chance(1, 2):
            plan = [M_SHAPED]
        built = build(stream, "TY", {(0, 1)}, plan, FILLERS, knobs["nodes"], most=(6, 6))
        recorded = [at for at in range(2, len(built.causes)) if at not in built.hidden]
        causes = [at for at, kind in enumerate(kinds) if kind == counted.CAUSE]
        links = dict(zip(causes[1:][: knobs["links"]], causes, strict=False))
        for head, tail in links.items():
            built.causes[recorded[head]].add(recorded[tail])
        story = cast(stream, len(built.causes), formal=variant == "transfer", events=True)
        names = story.names
        params: Params = {
            "graph": {
                "nodes": sorted(names),
                "directed": sorted(
                    [names[cause], names[at]] for at, above in enumerate(built.causes) for cause in above
                ),
                "bidirected": [],
            },
            "unmeasured": sorted(names[at] for at in built.hidden),
            "roles": {"treatment": names[0], "outcome": names[1]},
            "sets": {"strata": sorted(names[at] for at in recorded)},
        }
        chosen = _adjustment_set(params)
        if chosen is None or _use(params) != use:
            raise Redraw("the graph calls for another comparison than planned")
        for _ in range(40):
            params["counts"] = draw_counts(stream, kinds, [names[at] for at in recorded], links, opposed=reverse)
            if _suits(Counted(params), chosen, reverse=reverse):
                break
        else:
            raise Redraw("no counts with " + ("a reversal" if reverse else "margins"))
        if variant == "numeric":
            strata = params["sets"]["strata"]
            params["sets"]["compared"] = sorted(stream.sample(strata, max(1, len(strata) - 1)))
        if variant == "analyst":
            params["claims"] = draw_claims(stream, _pools(stream, params), partial(_holds, params), 4)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        strata = params["sets"]["strata"]
        tolerance = {"tolerance": "0.001"}
        standardised = ("aggregation", "probability")
        effect = Asked(
            "EFFECT",
            "number",
            f"What is the total effect of {x} on {y}, P({y} = 1 | do({x} = 1)) - P({y} = 1 | do({x} = 0))?",
            tolerance,
            ("aggregation", "adjustment"),
        )
        if "claims" in params:
            skills = {"right": "adjustment", "enough": "adjustment", "against": "aggregation", "stratum": "aggregation"}
            return [*asked_claims(params["claims"], "Is this claim true or false?", skills), effect]
        reversal = Asked(
            "REVERSAL",
            "verdict",
            "Has the difference in every full stratum the opposite sign to the difference among all cases?",
            {"vocabulary": ["yes", "no"], "classes": {"yes": ["true"], "no": ["false"]}},
            ("aggregation",),
        )
        if "compared" in params["sets"]:
            coarse = params["sets"]["compared"]
            over = [("STRATIFIED", "all stratifying variables")]
            over += [("PARTIAL", f"{', '.join(coarse)} only")] if coarse != strata else []
            return [
                Asked("POOLED", "number", "What is the difference among all cases?", tolerance, standardised),
                *(
                    Asked(
                        part,
                        "number",
                        f"What is the difference taken within the strata of {what} and averaged by the strata's "
                        "shares of all cases?",
                        tolerance,
                        standardised,
                    )
                    for part, what in over
                ),
                effect,
                reversal,
            ]
        return [
            reversal,
            effect,
            Asked(
                "USE",
                "verdict",
                "By the adjustment criterion, which comparison gives the total effect: the pooled one, the stratified "
                "one, both, or neither?",
                {"vocabulary": list(USES)},
                ("aggregation", "adjustment"),
            ),
            *(
                Asked(
                    f"STRATUM_{at}",
                    "number",
                    f"What is the difference among cases with {' and '.join(f'{name} = {bit}' for name in strata)}?",
                    tolerance,
                    ("aggregation",),
                )
                for at, bit in ((1, "0"), (2, "1"))
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        table = Counted(params)
        chosen = _adjustment_set(params)
        if chosen is None:
            raise Redraw("no set of stratifying variables gives the effect")
        keys = {"EFFECT": Key(show(table.adjusted(chosen)))}
        if "claims" in params:
            return keys | {claim["id"]: Key(truth(_holds(params, claim))) for claim in params["claims"]}
        strata = params["sets"]["strata"]
        keys["REVERSAL"] = Key("yes" if table.against() == 1 << len(strata) else "no")
        if "compared" in params["sets"]:
            keys |= {"POOLED": Key(show(table.pooled)), "STRATIFIED": Key(show(table.adjusted(strata)))}
            if params["sets"]["compared"] != strata:
                keys["PARTIAL"] = Key(show(table.adjusted(params["sets"]["compared"])))
            return keys
        for at, bit in ((1, "0"), (2, "1")):
            keys[f"STRATUM_{at}"] = Key(show(table.within(bit * len(strata))))
        return keys | {"USE": Key(_use(params))}

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirmed(params, {part: key.gold for part, key in keys.items()})

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        strata = params["sets"]["strata"]
        x, y = params["roles"]["treatment"], params["roles"]["outcome"]
        graph = Graph.from_json(params["graph"])
        between = {*graph.descendants([x])} & {*graph.ancestors([y])}
        chosen = {
            "naive": [],
            "adjust_all": strata,
            "adjust_parents": [name for name in strata if [name, x] in params["graph"]["directed"]],
            "ignore_colliders": [name for name in strata if name not in between],
        }[habit]
        way = "stratified" if chosen == strata else "neither" if chosen else "pooled"
        changes: dict[str, Json] = {"EFFECT": show(Counted(params).adjusted(chosen)), "USE": way}
        for claim in params.get("claims", ()):
            if claim["kind"] == "right":
                changes[claim["id"]] = truth(claim["way"] == way)
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        return 2 * len(params["counts"]["rows"]) + 2 * len(params["graph"]["directed"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        table = Counted(params)
        strata = params["sets"]["strata"]
        pooled, every = show(table.pooled), show(table.adjusted(strata))
        chosen = _adjustment_set(params) or []
        set_text = "{" + ", ".join(chosen) + "}"
        against = f"{table.against()} of {1 << len(strata)} strata go against the pooled difference, {pooled}."
        reasons = {
            "REVERSAL": against,
            "EFFECT": f"{set_text} meets the adjustment criterion; averaged over its strata the difference is "
            f"{show(table.adjusted(chosen))}.",
            "USE": f"Pooled gives {pooled}, all strata give {every}; {set_text} is what the graph asks for.",
            "POOLED": f"All cases together: {pooled}.",
            "STRATIFIED": f"The differences of all full strata, weighted by the strata's shares: {every}.",
            "PARTIAL": "The same over the coarser strata.",
            "STRATUM_1": "The two rows of that stratum give the two shares.",
            "STRATUM_2": "The two rows of that stratum give the two shares.",
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "against": against,
                "stratum": "The two rows of that stratum give the two shares.",
            }.get(claim["kind"], f"Checked by the adjustment criterion; {set_text} is enough.")
        return {part: reasons[part] for part in keys}


def _kinds(stream: Stream, use: str, count: int, *, opposed: bool) -> list[int]:
    """Kinds of stratifying variables under which `use` is the right comparison, in drawn order."""
    kinds: list[int] = []
    if use in ("stratified", "neither"):
        kinds.append(counted.CAUSE)
    if use in ("pooled", "neither"):
        kinds.append(stream.choice(HARMFUL[:2] if opposed else HARMFUL))
    while len(kinds) < count:
        same = {"stratified": (counted.CAUSE,), "pooled": HARMFUL, "neither": (counted.CAUSE, *HARMFUL)}.get(use)
        kinds.append(stream.choice(same if same and stream.chance(2, 3) else HARMLESS))
    return stream.shuffled(kinds)


def _suits(table: Counted, chosen: Sequence[str], *, reverse: bool) -> bool:
    """Whether the counts show what was wanted, no difference is near zero, and wrong comparisons are clearly wrong.

    `chosen` gives the effect.
    """
    if min(abs(value) for value in (table.pooled, *table.differences)) < MARGIN:
        return False
    if (table.against() == len(table.differences)) != reverse:
        return False
    effect = table.adjusted(chosen)
    every = effect if len(chosen) == len(table.strata) else table.adjusted(table.strata)
    return all(value == effect or abs(value - effect) >= MARGIN for value in (table.pooled, every))


def _adjustment_set(params: Mapping[str, Any]) -> list[str] | None:
    """The first minimal set of stratifying variables that meets the adjustment criterion, or None."""
    graph = Graph.from_json(params["graph"])
    found = minimal_adjustment_sets(
        graph, [params["roles"]["treatment"]], [params["roles"]["outcome"]], excluded=params["unmeasured"]
    )
    return list(found[0]) if found else None


def _is_right(params: Mapping[str, Any], chosen: Sequence[str]) -> bool:
    graph = Graph.from_json(params["graph"])
    return is_adjustment_set(graph, [params["roles"]["treatment"]], [params["roles"]["outcome"]], chosen)


def _use(params: Mapping[str, Any]) -> str:
    pooled, stratified = _is_right(params, []), _is_right(params, params["sets"]["strata"])
    return {(True, True): "both", (True, False): "pooled", (False, True): "stratified"}.get(
        (pooled, stratified), "neither"
    )


def _state(params: Mapping[str, Any], stratum: str) -> str:
    """The bits of a stratum that a claim names."""
    values = dict(piece.split(" = ") for piece in stratum.split(" and "))
    return "".join(values[name] for name in params["sets"]["strata"])


def _holds(params: Mapping[str, Any], claim: Mapping[str, Any]) -> bool:
    kind = claim["kind"]
    if kind == "right":
        return _is_right(params, [] if claim["way"] == "pooled" else params["sets"]["strata"])
    if kind == "enough":
        return _is_right(params, claim["chosenset"])
    table = Counted(params)
    if kind == "against":
        return table.against() == int(claim["number"])
    return abs(table.within(_state(params, claim["stratum"])) - number(claim["value"])) <= Fraction(1, 2000)


def _pools(stream: Stream, params: Mapping[str, Any]) -> dict[str, list[Params]]:
    """Possible claims; wrong values belong to another stratum, or have the sign of the pooled difference."""
    table = Counted(params)
    strata = params["sets"]["strata"]
    against = table.against()
    states = ["".join(bits) for bits in product("01", repeat=len(strata))]
    one, other = stream.sample(states, 2)
    named = " and ".join(f"{name} = {bit}" for name, bit in zip(strata, one, strict=True))
    values = [table.within(one), table.within(other), -table.within(one)]
    rounded = dict.fromkeys(show(Fraction(round(value * 1000), 1000)) for value in values)
    sets = [sorted(one) for size in range(1, len(strata)) for one in combinations(strata, size)]
    pools: dict[str, list[Params]] = {"enough": [{"chosenset": one} for one in sets]} if sets else {}
    return pools | {
        "right": [{"way": way} for way in ("pooled", "stratified")],
        "against": [{"number": str(value)} for value in sorted({against, len(states) - against, max(0, against - 1)})],
        "stratum": [{"stratum": named, "value": value} for value in rounded],
    }


BUNDLE = Simpson()
