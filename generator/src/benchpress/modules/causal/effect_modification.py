"""Effect modification: whom an average effect is about, who modifies it, and on which scale.

Structure: a treatment and an outcome with common causes, causes of either side, relatives of these, effects of both
that look like modifiers, and one covariate whose scale is in question. The outcome's table is additive or
multiplicative, so that a difference vanishes exactly or by a margin.
Keys: exact elimination and standardisation over the outcome's other causes; confirmed by adding cells of
the potential outcomes.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.items import Json
from benchpress.modules.causal import checks_modification as checks
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.chances import TENTHS, draw_chances, draw_steady, graph_of, joint_of, table
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.gadgets import Built, Gadget, build
from benchpress.modules.causal.modified import Effects, outcome_table
from benchpress.streams import Stream
from benchpress.wording.definitions import Definition
from benchpress.wording.joint import JointTable
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Claims, Edges, Params, Roles, Unmeasured, Variables
from benchpress.wording.shares import probabilities
from benchpress.wording.stories import cast

MARGIN = Fraction(1, 100)
"""The effect differs between the treated and the untreated by this much, and on either scale by it or not at all."""

SCALES = ("difference", "ratio", "both", "neither")

# T is the treatment, Y the outcome, V the covariate in question; m modifies the effect, b shifts the outcome, U and W
# are unrecorded. Where V is to modify on the difference scale, it is a modifier itself or related to one.
OF_TREATMENT: tuple[Gadget, ...] = (("V>T",), ("U>V", "U>T"), ("V>a", "a>T"), ("a>V", "a>T"))
SHIFTING: tuple[Gadget, ...] = (
    ("V>Y",),
    ("V>T", "V>Y"),
    ("U>V", "U>T", "V>Y"),
    ("b>V", "b>Y"),
    ("V>b", "b>Y"),
    ("U>V", "U>b", "b>Y"),
    ("V>T", "V>b", "b>Y"),
)
MODIFYING: tuple[Gadget, ...] = (
    ("V>Y",),
    ("V>T", "V>Y"),
    ("m>V", "m>Y"),
    ("V>m", "m>Y"),
    ("U>V", "U>m", "m>Y"),
    ("V>T", "V>m", "m>Y"),
)
CONFOUNDING: tuple[Gadget, ...] = (("m>T", "m>Y"), ("U>m", "U>T", "m>Y"), ("m>T", "a>m", "m>Y"), ("a>T", "a>m", "m>Y"))
"""A modifier that is related to the treatment: the treated and the untreated have different average effects."""
OTHERS: tuple[Gadget, ...] = (("b>Y",), ("b>T", "b>Y"), ("b>Y", "b>a"), ("b>T", "b>Y", "b>a"), ("U>b", "U>T", "b>Y"))
LOOKALIKES: tuple[Gadget, ...] = (("T>a",), ("T>a", "Y>a"), ("Y>a",), ("T>a", "b>a", "b>Y"), ("V>a", "T>a"), ("a>T",))
FILLERS: tuple[Gadget, ...] = (*LOOKALIKES, *OTHERS, ("a>T", "a>b"), ("V>a",))


class EffectModification(Bundle):
    name = "effect_modification"
    summary = "average effects in everybody and among the treated, modifiers and their relatives, and the scale"
    parts: ClassVar = {"ATE": "number", "ATT": "number", "MODIFIERS": "node_set", "SCALE_VERDICT": "verdict"}
    claims = Claims(
        {
            "att": Saying("the average effect among the treated is {value} (to three decimals)"),
            "atu": Saying("the average effect among the untreated is {value} (to three decimals)"),
            "modifies": Saying("{name} modifies the effect on the {scale} scale"),
            "larger": Saying("the average effect among the {more} exceeds the one among the {less}"),
        }
    )
    sections = (
        Variables(),
        Edges(),
        probabilities(),
        JointTable(),
        Unmeasured(),
        Roles("treatment", "outcome", "covariate"),
        Definition(
            "Y(t) is {outcome} when {treatment} is set to t, with all other influences as they are. The average effect "
            "in a population is the mean of Y(1) - Y(0) in it; the treated are the cases with {treatment} = 1, the "
            "untreated those with {treatment} = 0. A variable that {treatment} does not affect modifies the effect on "
            "the difference scale when the mean of Y(1) - Y(0) among cases with the variable = 1 is not what it is "
            "among those with the variable = 0, and on the ratio scale when the mean of Y(1) divided by the mean of "
            "Y(0) is not the same among the two."
        ),
        claims,
    )
    methods = ("exact elimination and standardisation", "potential outcomes by adding cells")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 4 + (4 * level) // 5,
            "confounders": 1 + level // 6,
            "others": (level + 2) // 5,
            "lookalikes": 1 + level // 9,
            "outcome_causes": 4 + level // 8,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        numeric = variant == "numeric"
        scale = stream.choice(SCALES)
        own = {"neither": OF_TREATMENT, "both": MODIFYING}.get(scale, SHIFTING)
        plan: list[Sequence[Gadget]] = [own, *[CONFOUNDING] * (1 if numeric else knobs["confounders"])]
        plan += (
            []
            if numeric
            else [*[OTHERS] * knobs["others"], *[LOOKALIKES] * (knobs["lookalikes"] + (variant == "trap"))]
        )
        nodes = 4 + level // 6 if numeric else knobs["nodes"]
        most = (3, knobs["outcome_causes"], 2)
        built = build(stream, "TYV", {(0, 1)}, plan, FILLERS, nodes, recorded_only=numeric, most=most)
        story = cast(stream, len(built.causes), formal=variant == "transfer", events=True)
        names = story.names
        params: Params = {
            "roles": dict(zip(("treatment", "outcome", "covariate"), names, strict=False)),
            "unmeasured": sorted(names[at] for at in built.hidden),
        }
        for _ in range(12):
            params |= _tables(stream, built, names, scale, short=numeric)
            effects = Effects(params)
            if _apart(effects) and _scale(effects, names[2]) == scale:
                break
        else:
            raise Redraw("no tables in which effects differ by a margin or not at all")
        if numeric:
            params["joint"] = joint_of(params.pop("probabilities"))
        if variant == "analyst":
            params["claims"] = draw_claims(stream, _pools(stream, effects), partial(_holds, effects), 4)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        t, y, v = (params["roles"][role] for role in ("treatment", "outcome", "covariate"))
        tolerance, skills = {"tolerance": "0.001"}, ("heterogeneity", "intervention")
        average = Asked("ATE", "number", "What is the average effect in the whole population?", tolerance, skills)
        others = [name for name in params["graph"]["nodes"] if name not in (t, y, *params["unmeasured"])]
        modifiers = Asked(
            "MODIFIERS",
            "node_set",
            f"Which recorded variables that {t} does not affect modify the effect on the difference scale? {{}} if "
            "none do.",
            {"universe": others},
            ("heterogeneity", "d_separation"),
        )
        if "claims" in params:
            about = dict.fromkeys(self.claims.kinds, "heterogeneity")
            return [*asked_claims(params["claims"], "Is this claim true or false?", about), average, modifiers]
        asked = [
            average,
            Asked("ATT", "number", "What is the average effect among the treated?", tolerance, skills),
            modifiers,
            Asked(
                "SCALE_VERDICT",
                "verdict",
                f"On which scale does {v} modify the effect?",
                {"vocabulary": list(SCALES)},
                ("heterogeneity",),
            ),
        ]
        if "joint" in params:
            asked.insert(
                2, Asked("ATU", "number", "What is the average effect among the untreated?", tolerance, skills)
            )
        return asked

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        effects = Effects(params)
        everybody, treated, untreated = effects.overall
        modifiers = [name for name in effects.recorded if _modifies(effects, name)[0]]
        keys = {"ATE": Key(show(everybody)), "MODIFIERS": Key(modifiers)}
        if "claims" in params:
            return keys | {claim["id"]: Key(truth(_holds(effects, claim))) for claim in params["claims"]}
        if "joint" in params:
            keys["ATU"] = Key(show(untreated))
        return keys | {
            "ATT": Key(show(treated)),
            "SCALE_VERDICT": Key(_scale(effects, params["roles"]["covariate"])),
        }

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return checks.confirmed(params, {part: key.gold for part, key in keys.items()})

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        effects = Effects(params)
        changes: dict[str, Json] = {}
        if habit == "naive":
            # One effect for everybody, and a modifier is whatever acts on the outcome.
            changes = {"ATT": answers["ATE"], "ATU": answers["ATE"]}
            changes["MODIFIERS"] = sorted(
                cause
                for cause, effect in params["graph"]["directed"]
                if effect == params["roles"]["outcome"] and cause in effects.recorded
            )
        elif habit == "adjust_all":
            changes = {"MODIFIERS": sorted(effects.recorded), "SCALE_VERDICT": "both"}
        elif habit == "ignore_colliders":
            # What the treatment affects is taken for a modifier as well.
            roles = (params["roles"]["treatment"], params["roles"]["outcome"])
            later = [
                name
                for name in params["graph"]["nodes"]
                if name not in effects.before and name not in (*roles, *params["unmeasured"])
            ]
            changes = {
                "MODIFIERS": sorted([*later, *(name for name in effects.recorded if _modifies(effects, name)[0])])
            }
        elif habit == "adjust_parents":
            changes = {"MODIFIERS": [name for name in effects.recorded if _modifies(effects, name)[1]]}
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        cells = sum(len(entry["rows"]) for entry in params.get("probabilities", ()))
        return 2 * cells + len(params.get("joint", {}).get("rows", ())) + 2 * len(params["graph"]["nodes"])

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        effects = Effects(params)
        everybody, treated, untreated = (_text(value) for value in effects.overall)
        each = []
        for name in effects.recorded:
            (none, one), (low, high) = effects.means(name)
            each.append(
                f"{name} {_text(one - none)} and {_text(high - low)} (ratios {_text(one / none)}, {_text(high / low)})"
            )
        within = "Effects among cases with the variable 0 and 1: " + "; ".join(each) + "."
        averages = f"Everybody: {everybody}; the treated: {treated}; the untreated: {untreated}."
        reasons = dict.fromkeys(("ATE", "ATT", "ATU"), averages) | dict.fromkeys(("MODIFIERS", "SCALE_VERDICT"), within)
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = within if claim["kind"] == "modifies" else averages
        return {part: reasons[part] for part in keys}


def _text(value: Fraction) -> str:
    return f"{float(value):.4f}"


def _tables(stream: Stream, built: Built, names: Sequence[str], scale: str, *, short: bool) -> Params:
    """Graph and chances; the outcome's table is multiplicative where only the difference is to vary."""
    tables = []
    for at, above in enumerate(built.causes):
        order = sorted(above)
        if at == 1:
            # The treatment, number 0, is the first of the outcome's causes.
            modifying = [
                place
                for place, cause in enumerate(order[1:])
                if built.letters[cause] == "m" or (cause == 2 and scale == "both")
            ]
            values = outcome_table(stream, len(order) - 1, modifying, multiplicative=scale == "difference")
        elif short:
            values = draw_chances(stream, len(order), TENTHS)
        else:
            values = draw_steady(stream, len(order))
        tables.append(table(names[at], [names[cause] for cause in order], values))
    return {"graph": graph_of(tables), "probabilities": sorted(tables, key=lambda entry: entry["of"])}


def _gaps(effects: Effects, name: str) -> tuple[Fraction, Fraction]:
    """How far the effect among cases with the variable exceeds that among the others, as difference and as ratio."""
    (none, one), (low, high) = effects.means(name)
    return (high - low) - (one - none), high / low - one / none


def _modifies(effects: Effects, name: str) -> tuple[bool, bool]:
    difference, ratio = _gaps(effects, name)
    return difference != 0, ratio != 0


def _scale(effects: Effects, name: str) -> str:
    words = {(True, True): "both", (True, False): "difference", (False, True): "ratio", (False, False): "neither"}
    return words[_modifies(effects, name)]


def _apart(effects: Effects) -> bool:
    """Whether nothing that differs nearly agrees."""
    everybody, treated, untreated = effects.overall
    if min(abs(everybody), abs(treated - untreated)) < MARGIN:
        return False
    return all(gap == 0 or abs(gap) >= MARGIN for name in effects.recorded for gap in _gaps(effects, name))


def _holds(effects: Effects, claim: Mapping[str, Any]) -> bool:
    kind = claim["kind"]
    if kind == "modifies":
        return _modifies(effects, claim["name"])[claim["scale"] == "ratio"]
    _, treated, untreated = effects.overall
    if kind == "larger":
        return treated > untreated if claim["more"] == "treated" else untreated > treated
    return abs((treated if kind == "att" else untreated) - number(claim["value"])) <= Fraction(1, 2000)


def _pools(stream: Stream, effects: Effects) -> dict[str, list[Params]]:
    """Possible claims; wrong values belong to another population."""
    averages = [show(Fraction(round(value * 1000), 1000)) for value in effects.overall]
    more, less = stream.shuffled(["treated", "untreated"])
    return {
        "att": [{"value": value} for value in averages],
        "atu": [{"value": value} for value in averages],
        "modifies": [{"name": name, "scale": scale} for name in effects.recorded for scale in ("difference", "ratio")],
        "larger": [{"more": more, "less": less}],
    }


BUNDLE = EffectModification()
