"""Measurement error: what readings in place of the quantities themselves do to a slope, and how to undo it.

Structure: treatment, outcome and confounders, each recorded itself or by a reading with an error of its own; second
readings, some with an error in common with the first, some that respond to the outcome; instruments and bystanders. A
regression on readings is compared with the total effect. Keys: covariance algebra and graph surgery; confirmed by
generic populations and by simulation.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.adjustment import is_adjustment_set
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import reachable, separated
from benchpress.items import Json
from benchpress.modules.causal import checks, checks_linear
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.claims import asked_claims, draw_claims, truth
from benchpress.modules.causal.draft import SMALL, WHOLE, covariance_rows, model_of
from benchpress.modules.causal.measurement_graphs import Sketch, structure
from benchpress.modules.causal.measurement_slopes import (
    AUXILIARY,
    DIRECTIONS,
    MARGIN,
    OUTCOME_READING,
    TREATMENT_READING,
    controls_fit,
    direction_of,
    draw_slopes,
    recorded_ends,
    slopes_of,
    stand_in_candidates,
    usable_stand_ins,
)
from benchpress.modules.causal.moments import moments_of, shows
from benchpress.modules.causal.observed import about, braced
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.readings import ErrorVariances
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import (
    Claims,
    Covariances,
    Edges,
    Noise,
    Params,
    Roles,
    Unmeasured,
    Variables,
    WeightedEdges,
)
from benchpress.wording.sets import NamedSets
from benchpress.wording.stories import cast


class MeasurementError(Bundle):
    name = "measurement_error"
    summary = "slopes on readings with error, their correction, and what may stand in as an instrument"
    parts: ClassVar = {
        "USABLE": "node_set",
        "OBSERVED": "number",
        "RATIO": "number",
        "CORRECTED": "number",
        "DIRECTION": "verdict",
    }
    claims = Claims(
        {
            "usable": Saying(
                "the ratio with {z} as the instrument gives the total effect, whatever the other coefficients",
                "{z} can serve as an instrument for what was read",
            ),
            "suffices": Saying(
                "if {zset} could be adjusted for without error and the treatment were known, the slope would be right",
                "apart from errors of reading, {zset} would be enough to adjust for",
            ),
            "independent": Saying(
                "{a} is independent of {b} given {zset}",
                "{a} tells nothing about {b} once {zset} is fixed",
            ),
            "larger": Saying(
                "the observed slope is larger than the total effect",
                "the observed slope lies above the total effect",
            ),
            "smaller": Saying(
                "the observed slope is smaller than the total effect",
                "the observed slope lies below the total effect",
            ),
        }
    )
    sections = (
        Variables(),
        WeightedEdges(),
        ErrorVariances(),
        Edges(),
        Noise(),
        Covariances(),
        Unmeasured(),
        Roles("treatment", TREATMENT_READING, "outcome", OUTCOME_READING, AUXILIARY),
        NamedSets(
            {
                "controls": Saying(
                    "Controls in the regression: {names}.",
                    "The regression controls for: {names}.",
                    "These stand in the regression as controls: {names}.",
                )
            }
        ),
        claims,
    )
    methods = ("covariance algebra and graph surgery", "generic populations and simulation")

    def knobs(self, level: int) -> Mapping[str, int]:
        return {
            "nodes": 6 + 4 * level // 5,
            "confounders": 1 + (level >= 5) + (level >= 9),
            "mediators": (level + 3) // 4,
            "idle_controls": (level >= 3) + (level >= 7),
            "extra_edges": level // 3,
        }

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        direction = stream.weighted(DIRECTIONS, (4, 4, 3, 3))
        for _ in range(6):
            sketch = structure(stream, knobs, direction, variant)
            story = cast(stream, sketch.draft.count, formal=variant == "transfer")
            graph = sketch.draft.graph(story.names)
            params = _params(stream, sketch, graph, story.names)
            if not controls_fit(params, graph, sketch, story.names, direction, variant):
                continue
            sizes = WHOLE if variant == "numeric" else SMALL
            linear = draw_slopes(stream, params, graph, sketch, story.names, direction, sizes)
            if linear is not None:
                break
        else:
            raise Redraw(f"no coefficients that make the slope {direction}")
        if variant == "numeric":
            recorded = set(graph.nodes) - set(params["unmeasured"])
            variance = dict(linear["noise"])
            params["covariance"] = covariance_rows(model_of(graph, linear), recorded)
            read = {story.names[reading]: story.names[quantity] for reading, quantity in sketch.readings.items()}
            params["errors"] = sorted([one, quantity, variance[one]] for one, quantity in read.items())
        else:
            params["linear"] = linear
        if variant == "analyst":
            params["claims"] = _claims(stream, params, graph)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        roles = params["roles"]
        x, y, z = roles["treatment"], roles["outcome"], roles[AUXILIARY]
        seen, response = roles.get(TREATMENT_READING, x), roles.get(OUTCOME_READING, y)
        controls = "{" + ", ".join(params["sets"]["controls"]) + "}"
        recorded = [name for name in params["graph"]["nodes"] if name not in params["unmeasured"]]
        number = {"tolerance": "0.01"}
        numbers = [
            Asked(
                "OBSERVED",
                "number",
                f"What is the coefficient of {seen} in the population regression of {response} on {seen} and the "
                f"controls {controls}?",
                number,
                ("covariance_algebra", "regression"),
            ),
            Asked(
                "RATIO",
                "number",
                f"What is the covariance of {z} with {response} divided by the covariance of {z} with {seen}?",
                number,
                ("instrument", "covariance_algebra"),
            ),
            Asked(
                "CORRECTED",
                "number",
                f"What is the total effect of {x} itself on {y} itself, per unit?",
                number,
                ("measurement", "path_tracing") if "linear" in params else ("measurement", "regression"),
            ),
        ]
        if "claims" in params:
            question = "Is this claim about readings and effects true or false?"
            return [*asked_claims(params["claims"], question, _CLAIM_SKILL), *numbers]
        kept = [f"{one} -> {reading}" for one, reading in ((x, seen), (y, response)) if one != reading]
        proviso = (
            f", as long as {' and '.join(kept)} {'keep' if len(kept) > 1 else 'keeps'} the coefficient 1"
            if kept
            else ""
        )
        return [
            Asked(
                "USABLE",
                "node_set",
                f"For which recorded quantities Z is the covariance of Z with {response} divided by the covariance of "
                f"Z with {seen} equal to the total effect of {x} on {y}, whatever the coefficients of the arrows"
                f"{proviso}? Name all of them.",
                {"universe": sorted(name for name in recorded if name not in (seen, response))},
                ("measurement", "instrument"),
            ),
            *numbers,
            Asked(
                "DIRECTION",
                "verdict",
                "Compared with the total effect, is the observed coefficient attenuated (nearer to zero, same sign), "
                "inflated (farther from zero, same sign), reversed (of the other sign) or unchanged?",
                {
                    "vocabulary": list(DIRECTIONS),
                    "classes": {
                        "attenuated": ["attenuation", "toward zero", "towards zero", "shrunk"],
                        "inflated": ["inflation", "away from zero", "exaggerated"],
                        "reversed": ["opposite", "sign reversed", "flipped"],
                        "unchanged": ["same", "equal", "none", "unbiased"],
                    },
                },
                ("bias_direction", "measurement"),
            ),
        ]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        graph = Graph.from_json(params["graph"])
        observed, ratio, effect = slopes_of(params, graph)
        keys = {"OBSERVED": Key(show(observed)), "RATIO": Key(show(ratio)), "CORRECTED": Key(show(effect))}
        if "claims" in params:
            gap = observed - effect
            return keys | {claim["id"]: Key(truth(_holds(claim, params, graph, gap))) for claim in params["claims"]}
        keys["USABLE"] = Key(usable_stand_ins(params, graph))
        keys["DIRECTION"] = Key(direction_of(observed, effect))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        roles, controls = params["roles"], params["sets"]["controls"]
        x, y, z = roles["treatment"], roles["outcome"], roles[AUXILIARY]
        seen, response = roles.get(TREATMENT_READING, x), roles.get(OUTCOME_READING, y)
        population = checks_linear.population_of(params)
        recorded = [name for name in params["graph"]["nodes"] if name not in params["unmeasured"]]
        candidates = [name for name in recorded if name not in (seen, response)]
        usable = [name for name in candidates if checks_linear.stands_in(population, x, y, seen, response, name)]
        sample = checks_linear.sample_of_problem(params, "measurement_error")
        observed = sample.coefficient(response, seen, controls)
        if "linear" in params:
            on = [tail for tail, head in params["graph"]["directed"] if head == x]
            effect = sample.coefficient(y, x, on)
            sound = True
        else:
            true = {reading: quantity for reading, quantity, _ in params["errors"]}
            errors = {reading: float(Fraction(variance)) for reading, _, variance in params["errors"]}
            effect = checks_linear.corrected_slope(sample, response, seen, controls, errors)
            behind = [[true.get(name, name) for name in controls]]
            sound = abs(population.coefficients(x, y, behind)[0] - population.effect(x, y)) < checks_linear.SLOPE
        confirmed = {
            "OBSERVED": checks.near(observed, keys["OBSERVED"].gold),
            "RATIO": checks.near(sample.two_stage_least_squares(response, seen, z), keys["RATIO"].gold),
            "CORRECTED": sound and checks.near(effect, keys["CORRECTED"].gold),
        }
        gap, slack = observed[0] - effect[0], float(MARGIN) / 2
        if "claims" in params:
            for claim in params["claims"]:
                match claim["kind"]:
                    case "usable":
                        holds = claim["z"] in usable
                    case "suffices":
                        slope = population.coefficients(x, y, [claim["zset"]])[0]
                        holds = abs(slope - population.effect(x, y)) < checks_linear.SLOPE
                    case "independent":
                        holds = checks_linear.independent(population, claim["a"], claim["b"], claim["zset"])
                    case "larger":
                        holds = gap > slack
                    case _:
                        holds = gap < -slack
                confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
            return confirmed
        if abs(gap) < slack:
            direction = "unchanged"
        elif observed[0] * effect[0] < 0:
            direction = "reversed"
        else:
            direction = "inflated" if abs(observed[0]) > abs(effect[0]) else "attenuated"
        confirmed["USABLE"] = keys["USABLE"].gold == sorted(usable)
        confirmed["DIRECTION"] = keys["DIRECTION"].gold == direction
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        graph = Graph.from_json(params["graph"])
        x, y, seen, response = recorded_ends(params)
        recorded = [name for name in graph.nodes if name not in (*params["unmeasured"], seen, response)]
        moments = moments_of(params, graph)
        observed = moments.coefficient(response, seen, params["sets"]["controls"])
        if habit == "naive":
            # What was read is taken for the quantity itself.
            answers["CORRECTED"] = show(observed)
            wrong: dict[str, Json] = {"USABLE": [], "DIRECTION": "unchanged"}
        elif habit in ("adjust_all", "adjust_parents"):
            early = [name for name in recorded if name not in graph.descendants([y])]
            causes = [name for name in early if [name, x] in params["graph"]["directed"]]
            answers["CORRECTED"] = show(moments.coefficient(response, seen, early if habit == "adjust_all" else causes))
            wrong = {"USABLE": causes, "DIRECTION": "attenuated"}
        else:
            # Error always attenuates, and whatever goes along with the reading will do as an instrument.
            linked = [name for name in recorded if not separated(graph, [name], [seen])]
            wrong = {"USABLE": linked, "DIRECTION": "attenuated"}
        answers |= {part: value for part, value in wrong.items() if part in answers}
        for claim in params.get("claims", ()):
            if claim["kind"] == "usable":
                answers[claim["id"]] = truth(habit == "ignore_colliders")
            elif claim["kind"] in ("larger", "smaller"):
                answers[claim["id"]] = truth((claim["kind"] == "larger") == (observed < 0))
        return answers

    def steps(self, params: Mapping[str, Any]) -> int:
        regressors = 2 + len(params["sets"]["controls"])
        edges = len(params["graph"]["directed"])
        traced = edges * regressors // 3 if "linear" in params else regressors**3 // 3
        return edges + traced + regressors**3 // 3

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        graph = Graph.from_json(params["graph"])
        x, y, seen, response = recorded_ends(params)
        observed, ratio, effect = (about(value) for value in slopes_of(params, graph))
        controls = braced(params["sets"]["controls"])
        usable = braced(usable_stand_ins(params, graph))
        free = f", and free of the error in {seen}" if seen != x else ""
        compared = f"The observed slope is {observed}, the total effect {effect}."
        reasons = {
            "USABLE": f"Tied to {x}, to {response} by way of the effect of {x} alone{free}: {usable}.",
            "OBSERVED": f"The regression of {response} on {seen} and {controls} has the coefficient {observed}.",
            "RATIO": f"The ratio of the covariances of {params['roles'][AUXILIARY]} is {ratio}.",
            "CORRECTED": f"Products of coefficients over the directed paths from {x} to {y} add up to {effect}."
            if "linear" in params
            else f"The variances of the errors taken off the variances of the readings, the coefficient is {effect}.",
            "DIRECTION": compared,
        }
        for claim in params.get("claims", ()):
            reasons[claim["id"]] = {
                "usable": f"Quantities that can serve: {usable}.",
                "suffices": "Checked by the adjustment criterion on the graph.",
                "independent": "Checked by d-separation on the graph.",
            }.get(claim["kind"], compared)
        return {part: reasons[part] for part in keys}


_CLAIM_SKILL = {
    "usable": "measurement",
    "suffices": "adjustment",
    "independent": "d_separation",
    "larger": "bias_direction",
    "smaller": "bias_direction",
}


def _params(stream: Stream, sketch: Sketch, graph: Graph, names: tuple[str, ...]) -> Params:
    """The problem without its numbers; the auxiliary quantity is a usable one in half of the cases."""
    roles = {"treatment": names[0], "outcome": names[1]}
    if sketch.seen:
        roles[TREATMENT_READING] = names[sketch.seen]
    if sketch.response != 1:
        roles[OUTCOME_READING] = names[sketch.response]
    params: Params = {
        "graph": graph.to_json(),
        "unmeasured": sorted(names[number] for number in sketch.hidden),
        "roles": roles,
        "sets": {"controls": sorted(names[number] for number in sketch.controls)},
    }
    linked = graph.names(reachable(graph, graph.mask([names[sketch.seen]]), 0))
    usable = usable_stand_ins(params, graph)
    others = [name for name in stand_in_candidates(params) if name in linked and name not in usable]
    roles[AUXILIARY] = stream.choice(usable if usable and (not others or stream.chance(1, 2)) else others)
    return params


def _claims(stream: Stream, params: Mapping[str, Any], graph: Graph) -> list[Params]:
    """Four claims about instruments, sufficient sets, independences and the side to which the slope errs."""
    x, y, seen, response = recorded_ends(params)
    before = [name for name in graph.nodes if name not in graph.descendants([x]) and name not in (seen, response)]
    recorded = [name for name in graph.nodes if name not in params["unmeasured"]]
    pairs = list(combinations(recorded, 2))
    pools: dict[str, list[Params]] = {
        "usable": [{"z": name} for name in stand_in_candidates(params)],
        "suffices": [{"zset": list(one)} for size in (1, 2, 3) for one in combinations(before, size)],
        "independent": [
            {"a": a, "b": b, "zset": [given]} for a, b in pairs for given in recorded if given not in (a, b)
        ],
        stream.choice(("larger", "smaller")): [{}],
    }
    observed, _, effect = slopes_of(params, graph)
    model = model_of(graph, params["linear"])

    def clear(claim: Params) -> bool:
        """Whether the numbers of the model show what the graph says."""
        if claim["kind"] == "usable":
            linked = model.covariance(claim["z"], seen)
            if claim["z"] in usable_stand_ins(params, graph):
                return shows(model, claim["z"], seen, (), separated=False)
            return linked == 0 or abs(model.covariance(claim["z"], response) / linked - effect) >= MARGIN
        if claim["kind"] == "suffices":
            bias = model.coefficient(y, x, claim["zset"]) - effect
            return bias == 0 if is_adjustment_set(graph, [x], [y], claim["zset"]) else abs(bias) >= MARGIN
        if claim["kind"] == "independent":
            a, b, given = claim["a"], claim["b"], claim["zset"]
            return shows(model, a, b, given, separated=separated(graph, [a], [b], given))
        return True

    return draw_claims(stream, pools, lambda claim: _holds(claim, params, graph, observed - effect), 4, clear)


def _holds(claim: Mapping[str, Any], params: Mapping[str, Any], graph: Graph, gap: Fraction) -> bool:
    x, y, _, _ = recorded_ends(params)
    match claim["kind"]:
        case "usable":
            return claim["z"] in usable_stand_ins(params, graph)
        case "suffices":
            return is_adjustment_set(graph, [x], [y], claim["zset"])
        case "independent":
            return separated(graph, [claim["a"]], [claim["b"]], claim["zset"])
        case "larger":
            return gap > 0
        case _:
            return gap < 0


BUNDLE = MeasurementError()
