"""Base rates: what one clue, two dependent clues, and clues one by one say about an event.

Structure: an event, a first and a second clue, further clues. The clues may depend on each other, on common causes, or
on the event only through each other; a clue may speak for another explanation of the first.
Keys: Bayes' theorem in exact fractions, by elimination; confirmed by adding cells of the whole joint distribution.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.items import Json
from benchpress.modules.causal import checks_bayes as checks
from benchpress.modules.causal.beliefs import ROLES, Beliefs, shifted
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.chances import GRID, TENTHS, draw_chances, graph_of, joint_of, table
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.gadgets import Gadget, build, thicken
from benchpress.streams import Stream
from benchpress.wording.entries import Series
from benchpress.wording.joint import JointTable
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Variables
from benchpress.wording.sets import NamedSets
from benchpress.wording.shares import probabilities
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 50)
"""The second clue moves the probability by at least this much, or not at all by structure."""
GAP = Fraction(1, 100)
"""Clues that are put in order differ by at least this much."""

RARE = tuple(Fraction(step, 100) for step in (2, 3, 4, 5, 6, 8, 10, 12, 15, 20))
"""Chances of the event, where nothing acts on it."""

# H is the event, E the first clue, F the second.
SCREENED: tuple[Gadget, ...] = (
    ("H>E", "E>F"),
    ("H>E", "a>E", "E>F"),
    ("H>E", "E>a", "a>F"),
    ("H>E", "E>F", "a>F"),
    ("H>a", "a>E", "E>F"),
    ("a>H", "H>E", "E>F"),
)
"""The second clue hangs on the first alone: with the first known, it says nothing more."""
EXPLAINING: tuple[Gadget, ...] = (
    ("H>E", "F>E"),
    ("H>E", "a>E", "a>F"),
    ("H>E", "a>E", "F>a"),
    ("H>a", "b>a", "a>E", "b>F"),
)
"""The second clue speaks for another cause of the first; alone it says nothing about the event."""
DEPENDENT: tuple[Gadget, ...] = (
    ("H>E", "H>F", "E>F"),
    ("H>E", "H>F", "a>E", "a>F"),
    ("H>E", "H>F"),
    ("H>E", "H>a", "a>F", "E>F"),
    ("a>H", "H>E", "a>F"),
    ("F>H", "H>E", "F>E"),
    ("H>E", "H>F", "F>E"),
    ("H>a", "a>E", "a>F"),
)
CLUES: tuple[Gadget, ...] = (
    ("H>a",),
    ("H>a", "E>a"),
    ("H>a", "F>a"),
    ("H>a", "a>b"),
    ("H>a", "b>a"),
    ("E>a",),
    ("a>H",),
    ("a>H", "a>E"),
    ("H>a", "E>a", "F>a"),
)
FILLERS: tuple[Gadget, ...] = (*CLUES, ("a>E",), ("a>F",), ("F>a",), ("a>F", "a>b"), ("a>E", "a>b", "H>b"))

DIRECTIONS = ("raises", "lowers", "same")


class BaseRate(Bundle):
    name = "base_rate"
    summary = "Bayes with rare events, and clues that depend on each other, explain each other away or repeat"
    parts: ClassVar = {"POSTERIOR": "number", "POSTERIOR_TWO": "number", "DIRECTION": "verdict", "ORDER": "sequence"}
    claims = Claims(
        {
            "one": Saying("P({h} = 1) given the first clue alone is {value} (to three decimals)"),
            "two": Saying("P({h} = 1) given both clues is {value} (to three decimals)"),
            "moves": Saying("once the first clue is known, the second one {way} the probability of {h} = 1"),
            "stronger": Saying(
                "{a} = 1 alone makes {h} = 1 more likely than {b} = 1 alone does",
                "P({h} = 1 | {a} = 1) is larger than the same with {b} = 1 in place of it",
            ),
        }
    )
    sections = (
        Variables(),
        Edges(),
        probabilities(),
        JointTable(),
        Roles(*ROLES),
        Series(
            "seen",
            Saying(
                "Values of the first and the second clue: {series}.",
                "In the case at hand the two clues, first and second, have the values {series}.",
                "What was found, first clue and second: {series}.",
            ),
        ),
        NamedSets(
            {"clues": Saying("All clues: {names}.", "The clues to be compared: {names}.", "Clues are: {names}.")}
        ),
        Series(
            "rate",
            Saying(
                "Another population: the event has probability {series}, all else given the event or its absence is "
                "distributed as here.",
                "In another population the share with the event is {series}; among cases with it and among cases "
                "without it, everything else is distributed as here.",
            ),
        ),
        claims,
    )
    methods = ("elimination and Bayes' theorem in fractions", "enumeration of the joint distribution")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {"nodes": 4 + (7 * level) // 10, "clues": 3 + level // 4, "extra_edges": level // 3}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = dict(self.knobs(level))
        numeric = variant == "numeric"
        if numeric:
            knobs |= {"nodes": 4 + level // 4, "clues": 3 + level // 4, "extra_edges": 0}
        wanted = stream.choice(DIRECTIONS)
        core = SCREENED if wanted == "same" else EXPLAINING if variant == "trap" else DEPENDENT + EXPLAINING
        fillers = CLUES if numeric else FILLERS
        causes = build(stream, "HEF", (), [core, CLUES], fillers, knobs["nodes"], most=(2, 3, 3)).causes
        thicken(stream, causes, knobs["extra_edges"], range(3, len(causes)))
        names = (story := cast(stream, len(causes), formal=variant == "transfer", events=True)).names
        params: Params = {"roles": dict(zip(ROLES, names, strict=False))}
        for _ in range(12):
            params |= _tables(stream, causes, names, short=numeric)
            params["seen"] = [str(int(stream.chance(3, 4))), "1"]
            beliefs = Beliefs(params)
            first = {names[1]: int(params["seen"][0])}
            known = beliefs.given({**first, names[2]: 1}), beliefs.given({**first, names[2]: 0})
            (with_one, with_none), one = known, beliefs.one
            moved = [abs(value - one) for value in (with_one, with_none)]
            if not (max(moved) == 0 if wanted == "same" else min(moved) >= MARGIN):
                continue
            if wanted != "same":
                params["seen"][1] = "1" if (with_one > one) == (wanted == "raises") else "0"
            else:
                params["seen"][1] = str(stream.below(2))
            clues = _spread_clues(stream, beliefs, names, knobs["clues"])
            if clues:
                break
        else:
            raise Redraw("no tables in which the clues differ enough")
        params["sets"] = {"clues": sorted(clues)}
        if numeric:
            params["joint"] = joint_of(params.pop("probabilities"))
            params["rate"] = [show(stream.choice([rate for rate in RARE if abs(rate - beliefs.prior) >= GAP]))]
        if variant == "analyst":
            params["claims"] = draw_claims(
                stream, _pools(params, beliefs := Beliefs(params)), partial(_holds, beliefs), 4
            )
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        h, e, f = (params["roles"][role] for role in ROLES)
        first, second = params["seen"]
        tolerance = {"tolerance": "0.001"}
        skills = ("bayes", "probability")
        both = Asked(
            "POSTERIOR_TWO", "number", f"What is P({h} = 1 | {e} = {first}, {f} = {second})?", tolerance, skills
        )
        clues = params["sets"]["clues"]
        order = Asked(
            "ORDER",
            "sequence",
            f"Put all clues in the order of P({h} = 1 | clue = 1), each taken alone, from the lowest to the highest.",
            {"universe": clues},
            ("ordering", "bayes"),
        )
        if "claims" in params:
            about = dict.fromkeys(self.claims.kinds, "bayes")
            return [*asked_claims(params["claims"], "Is this claim true or false?", about), both, order]
        asked = [Asked("POSTERIOR", "number", f"What is P({h} = 1 | {e} = {first})?", tolerance, skills), both]
        if "rate" in params:
            asked.append(
                Asked(
                    "SHIFTED",
                    "number",
                    f"What is P({h} = 1 | {e} = {first}, {f} = {second}) in the other population?",
                    tolerance,
                    skills,
                )
            )
        return [
            *asked,
            Asked(
                "DIRECTION",
                "verdict",
                f"Once {e} = {first} is known, does {f} = {second} raise or lower the probability of {h} = 1, or leave "
                "it the same?",
                {"vocabulary": list(DIRECTIONS)},
                ("bayes", "d_separation"),
            ),
            order,
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        beliefs = Beliefs(params)
        alone = beliefs.alone(params["sets"]["clues"])
        keys = {"POSTERIOR_TWO": Key(show(beliefs.two)), "ORDER": Key(sorted(alone, key=lambda name: alone[name]))}
        if "claims" in params:
            return keys | {claim["id"]: Key(truth(_holds(beliefs, claim))) for claim in params["claims"]}
        if "rate" in params:
            keys["SHIFTED"] = Key(show(shifted(beliefs.two, beliefs.prior, number(params["rate"][0]))))
        direction = _direction(beliefs.one, beliefs.two)
        return keys | {"POSTERIOR": Key(show(beliefs.one)), "DIRECTION": Key(direction)}

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirmed(params, {part: key.gold for part, key in keys.items()})

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        beliefs = Beliefs(params)
        changes: dict[str, Json] = {}
        if habit == "naive":
            # Each clue is taken for independent evidence, whatever the other says.
            pooled = beliefs.as_if_independent
            changes = {"POSTERIOR_TWO": show(pooled), "DIRECTION": _direction(beliefs.one, pooled)}
            if "rate" in params:
                changes["SHIFTED"] = show(shifted(pooled, beliefs.prior, number(params["rate"][0])))
        elif habit == "adjust_all":
            # The base rate is neglected: the event counts as likely as not before any clue.
            even = Fraction(1, 2)
            changes = {
                "POSTERIOR": show(shifted(beliefs.one, beliefs.prior, even)),
                "POSTERIOR_TWO": show(shifted(beliefs.two, beliefs.prior, even)),
            }
        elif habit == "ignore_colliders":
            singly = beliefs.given({beliefs.second: beliefs.seen[beliefs.second]})
            changes = {"DIRECTION": _direction(beliefs.prior, singly)}
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        cells = sum(len(entry["rows"]) for entry in params.get("probabilities", ()))
        clues = len(params["sets"]["clues"])
        # Every probability that is asked for adds up about half the rows of a printed joint distribution.
        added = len(params.get("joint", {}).get("rows", ())) * (2 + clues) // 4
        return 2 * cells + added + 4 * clues

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        h, e, f = (params["roles"][role] for role in ROLES)
        first, second = params["seen"]
        beliefs = Beliefs(params)
        prior, one, two = show(beliefs.prior), show(beliefs.one), show(beliefs.two)
        alone = {name: f"{float(value):.3f}" for name, value in beliefs.alone(params["sets"]["clues"]).items()}
        reasons = {
            "POSTERIOR": f"Without clues P({h} = 1) is {prior}; among cases with {e} = {first} it is {one}.",
            "POSTERIOR_TWO": f"Of the cases with {e} = {first} and {f} = {second}, those with {h} = 1 make up {two}.",
            "SHIFTED": f"The odds of {h} = 1 given both clues are multiplied by the new prior odds over the old ones.",
            "DIRECTION": f"With {e} = {first} alone the probability is {one}, with {f} = {second} as well it is {two}.",
            "ORDER": "Taken alone: " + ", ".join(f"{name} {value}" for name, value in sorted(alone.items())) + ".",
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = (
                f"Taken alone, {claim['a']} = 1 gives {alone[claim['a']]} and {claim['b']} = 1 {alone[claim['b']]}."
                if claim["kind"] == "stronger"
                else f"The first clue alone gives {one}, both give {two}."
            )
        return {part: reasons[part] for part in keys}


def _tables(stream: Stream, causes: Sequence[set[int]], names: Sequence[str], *, short: bool) -> Params:
    """Graph and chances; the event is rare where nothing acts on it and uncommon elsewhere."""
    tables = []
    for at, above in enumerate(causes):
        if at == 0 and not above:
            values = [stream.choice(RARE)]
        elif at == 0:
            values = [Fraction(stream.between(1, 8), 20) for _ in range(1 << len(above))]
        else:
            values = draw_chances(stream, len(above), TENTHS if short else GRID)
        tables.append(table(names[at], [names[cause] for cause in sorted(above)], values))
    return {"graph": graph_of(tables), "probabilities": sorted(tables, key=lambda entry: entry["of"])}


def _spread_clues(stream: Stream, beliefs: Beliefs, names: Sequence[str], count: int) -> list[str] | None:
    """`count` clues, the first and the second among them, no two of which say nearly the same; or None."""
    chosen = beliefs.alone(names[1:3])
    if abs(chosen[names[1]] - chosen[names[2]]) < GAP:
        return None
    for name in stream.shuffled(names[3:]):
        if len(chosen) < count:
            value = beliefs.given({name: 1})
            if all(abs(value - other) >= GAP for other in chosen.values()):
                chosen[name] = value
    return list(chosen) if len(chosen) >= 3 else None


def _direction(before: Fraction, after: Fraction) -> str:
    return "same" if after == before else "raises" if after > before else "lowers"


def _holds(beliefs: Beliefs, claim: Mapping[str, Any]) -> bool:
    kind = claim["kind"]
    if kind == "stronger":
        alone = beliefs.alone([claim["a"], claim["b"]])
        return alone[claim["a"]] > alone[claim["b"]]
    if kind == "moves":
        ways = {"raises": "raises", "lowers": "lowers", "does not change": "same"}
        return _direction(beliefs.one, beliefs.two) == ways[claim["way"]]
    return abs((beliefs.one if kind == "one" else beliefs.two) - number(claim["value"])) <= Fraction(1, 2000)


def _pools(params: Mapping[str, Any], beliefs: Beliefs) -> dict[str, list[Params]]:
    """Possible claims; wrong values neglect the base rate or the dependence of the clues."""
    one, two, prior, first = beliefs.one, beliefs.two, beliefs.prior, beliefs.first
    seen = beliefs.seen[first]
    # Bayes' theorem backwards: the share of cases with the clue among those with the event.
    other = beliefs.given({first: 1 - seen})
    backwards = one * (prior - other) / (one - other) / prior if one != other else prior
    clues = params["sets"]["clues"]

    def values(*options: Fraction) -> list[Params]:
        rounded = [show(Fraction(round(value * 1000), 1000)) for value in options]
        return [{"h": beliefs.event, "value": value} for value in dict.fromkeys(rounded)]

    return {
        "one": values(one, backwards, (one + prior) / 2),
        "two": values(two, beliefs.as_if_independent, one),
        "moves": [{"h": beliefs.event, "way": way} for way in ("raises", "lowers", "does not change")],
        "stronger": [{"h": beliefs.event, "a": a, "b": b} for a in clues for b in clues if a != b],
    }


BUNDLE = BaseRate()
