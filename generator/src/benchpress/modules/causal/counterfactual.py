"""Counterfactuals of one unit: abduction of its noises, action, prediction.

Structure: a linear model with motifs around a changed variable and a target (mediators, common causes, bystanders),
and one unit whose values were seen, all of them or only some. Keys: structural equations, with conditioning where
values are missing; confirmed on the twin network as a joint normal distribution in floating point.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

from benchpress.gate import Key, Redraw
from benchpress.graphs.dag import Graph
from benchpress.items import Json
from benchpress.models.linear import LinearModel
from benchpress.modules.causal import checks_twin
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.modules.causal.sketches import draw_graph
from benchpress.streams import Stream
from benchpress.wording.numbers import number, show
from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Claims, Noise, Params, Variables, WeightedEdges
from benchpress.wording.stories import cast

APART = Fraction(1, 5)
"""Plans that are ranked differ by at least this much in the target; a change matters by as much or not at all."""

CLASSES = {"true": ["correct", "yes"], "false": ["no", "incorrect"]}


class Observed:
    """`observed`: [name, value] for one unit."""

    _saying = Saying("In one case these values were seen: {list}.", "One particular case had: {list}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        entries = wording.stream.shuffled(params["observed"])
        said = self._saying.say(wording, list=listed([f"{name} = {value}" for name, value in entries]))
        return ["All means are zero before anything is known.", said]

    def read(self, line: str, found: Params) -> bool:
        if line.startswith("All means are zero"):
            return True
        slots = self._saying.read(line)
        if slots is None:
            return False
        found["observed"] = sorted(list(entry.rsplit(" = ", 1)) for entry in unlisted(slots["list"]))
        return True


class Plans:
    """`plans`: [label, variable, value], single changes to be compared, all about `target`."""

    _target = Saying("What matters is {name} in that same case.")
    _plan = Saying("- {label}: {name} is set to {value}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        said = [self._plan.say(wording, label=label, name=name, value=value) for label, name, value in params["plans"]]
        return [self._target.say(wording, name=params["target"]), "Suppose instead, one at a time:", *said]

    def read(self, line: str, found: Params) -> bool:
        if line == "Suppose instead, one at a time:":
            return True
        if (slots := self._target.read(line)) is not None:
            found["target"] = slots["name"]
            return True
        if (slots := self._plan.read(line)) is not None:
            found.setdefault("plans", []).append([slots["label"], slots["name"], slots["value"]])
            return True
        return False


class Counterfactual(Bundle):
    name = "counterfactual"
    summary = "abduction, action and prediction for one unit of a linear model"
    parts: ClassVar = {"NOISE": "number", "COUNTERFACTUAL": "number", "ORDER": "sequence"}
    claims = Claims(
        {
            "value": Saying("under {label}, {name} would have been {value}"),
            "matters": Saying("{label} changes {name} in this case"),
            "above": Saying("{label} gives a higher {name} than {other} does"),
        }
    )
    sections = (Variables(), WeightedEdges(), Noise(), Observed(), Plans(), claims)
    methods = ("structural equations in fractions", "twin network conditioned as a joint normal")

    def knobs(self, level: int) -> Mapping[str, int]:
        nodes = 4 + (level * 6) // 10
        return {"nodes": nodes, "edges": nodes + level // 2, "unseen": level // 4, "plans": 3 + level // 6}

    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        knobs = self.knobs(level)
        story = cast(stream, knobs["nodes"], formal=variant == "transfer")
        graph = draw_graph(stream, story.names, knobs["edges"])
        target = _target(stream, graph)
        params: Params = {"graph": graph.to_json(), "target": target}
        params["linear"] = {
            "coefficients": [
                [a, b, ("-" if stream.chance(2, 5) else "") + stream.choice(("0.5", "1", "1.5", "2"))]
                for a, b in graph.directed
            ],
            "noise": [[name, str(stream.between(1, 4))] for name in graph.nodes],
        }
        unseen = _unseen(stream, graph, target, knobs["unseen"] + (variant == "numeric"))
        params["observed"] = [[name, str(stream.between(-6, 9))] for name in graph.nodes if name not in unseen]
        params["plans"] = _plans(stream, graph, target, knobs["plans"], trap=variant == "trap")
        values = _outcomes(params)
        ranked = sorted(values.values())
        if any(high - low < APART for low, high in pairwise(ranked)):
            raise Redraw("two plans nearly tie")
        factual = _expected(params)
        if any(0 < abs(value - factual) < APART for value in values.values()):
            raise Redraw("a plan hardly matters")
        if variant == "analyst":
            params["claims"] = _claims(stream, params, values, factual)
        return Drawn(params, story.opening)

    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        target, (label, _, _) = params["target"], params["plans"][0]
        seen = {name for name, _ in params["observed"]}
        missing = (
            "; where a value was not seen, take its expectation given what was"
            if len(seen) < len(params["graph"]["nodes"])
            else ""
        )
        tolerance = {"tolerance": "0.01"}
        noise = Asked(
            "NOISE",
            "number",
            f"What is the noise of {target} in this case{missing}?",
            tolerance,
            ("counterfactual",),
        )
        value = Asked(
            "COUNTERFACTUAL",
            "number",
            f"What would {target} have been in this case under {label}{missing}?",
            tolerance,
            ("counterfactual", "path_tracing"),
        )
        order = Asked(
            "ORDER",
            "sequence",
            f"Rank the plans by what {target} would have been in this case, largest first.",
            {"universe": [one[0] for one in params["plans"]]},
            ("counterfactual", "ordering"),
        )
        if "claims" in params:
            truth = {"vocabulary": ["true", "false"], "classes": CLASSES}
            skills = ("claim_checking", "counterfactual")
            judged = [
                Asked(claim["id"], "verdict", "Is this claim true or false?", truth, skills)
                for claim in params["claims"]
            ]
            return [*judged, noise, order]
        return [noise, value, order]

    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        values = _outcomes(params)
        noises = _model(params).abduct(_evidence(params))
        keys = {
            "NOISE": Key(show(noises[params["target"]])),
            "ORDER": Key(sorted(values, key=lambda label: -values[label])),
        }
        if "claims" in params:
            factual = _expected(params)
            for claim in params["claims"]:
                keys[claim["id"]] = Key("true" if _holds(claim, values, factual) else "false")
        else:
            keys["COUNTERFACTUAL"] = Key(show(values[params["plans"][0][0]]))
        return keys

    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        twin = checks_twin.Twin(params)
        values = {
            label: twin.value(params["target"], name, float(Fraction(value))) for label, name, value in params["plans"]
        }
        ranked = [values[label] for label in keys["ORDER"].gold if label in values]
        confirmed = {
            "NOISE": checks_twin.close(twin.noise(params["target"]), keys["NOISE"].gold),
            "ORDER": len(ranked) == len(values) and all(high > low for high, low in pairwise(ranked)),
        }
        if "COUNTERFACTUAL" in keys:
            confirmed["COUNTERFACTUAL"] = checks_twin.close(values[params["plans"][0][0]], keys["COUNTERFACTUAL"].gold)
        for claim in params.get("claims", ()):
            value = values[claim["label"]]
            if claim["kind"] == "value":
                holds = abs(value - float(Fraction(claim["value"]))) < 0.006
            elif claim["kind"] == "matters":
                holds = abs(value - twin.factual(params["target"])) > checks_twin.CLOSE
            else:
                holds = value > values[claim["other"]]
            confirmed[claim["id"]] = keys[claim["id"]].gold == ("true" if holds else "false")
        return confirmed

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:
        answers = super().mistaken(params, habit)
        if habit not in ("naive", "adjust_all", "ignore_colliders"):
            return answers
        model, evidence, target = _model(params), _evidence(params), params["target"]
        values = {}
        for label, name, value in params["plans"]:
            changed = {**evidence, name: number(value)}
            if habit == "naive":
                # Reads the change as an observation of another case.
                values[label] = model.conditional_mean(target, {name: number(value)})
            elif habit == "adjust_all":
                # Holds everything else at its seen value.
                changed.pop(target, None)
                values[label] = model.conditional_mean(target, changed) if changed else Fraction(0)
            else:
                # Forgets the noises.
                values[label] = model.predict(dict.fromkeys(model.graph.nodes, Fraction(0)), {name: number(value)})[
                    target
                ]
        changes: dict[str, Json] = {
            "ORDER": sorted(values, key=lambda label: (-values[label], label)),
            "COUNTERFACTUAL": show(values[params["plans"][0][0]]),
        }
        for claim in params.get("claims", ()):
            changes[claim["id"]] = "true" if _holds(claim, values, _expected(params)) else "false"
        return {part: changes.get(part, value) for part, value in answers.items()}

    def steps(self, params: Mapping[str, Any]) -> int:
        unseen = len(params["graph"]["nodes"]) - len(params["observed"])
        return len(params["graph"]["directed"]) * (1 + len(params["plans"]) // 2) + 8 * unseen

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:
        values = _outcomes(params)
        listing = ", ".join(f"{label}: {show(value)}" for label, value in values.items())
        reasons = {
            "NOISE": "What was seen, minus the weighted causes; unseen values at their expectation given the seen.",
            "COUNTERFACTUAL": f"The same noises, with the changed variable cut off from its causes: {listing}.",
            "ORDER": f"{params['target']} under each plan: {listing}.",
        }
        reasons |= {claim["id"]: f"{params['target']}: {listing}." for claim in params.get("claims", ())}
        return {part: text for part, text in reasons.items() if part in keys}


def _target(stream: Stream, graph: Graph) -> str:
    """A variable with three causes or more, direct or not; in a small graph one with as many as there are."""
    causes = {name: len(graph.ancestors([name])) - 1 for name in graph.nodes}
    enough = min(3, max(causes.values()))
    return stream.choice([name for name in graph.nodes if causes[name] >= enough])


def _unseen(stream: Stream, graph: Graph, target: str, count: int) -> list[str]:
    """Variables whose value is missing; the target is always seen."""
    others = [name for name in graph.nodes if name != target]
    return stream.sample(others, min(count, len(others) - 2))


def _plans(stream: Stream, graph: Graph, target: str, count: int, *, trap: bool) -> list[list[str]]:
    """Changes of single variables; traps have one that cannot matter, set far away from what was seen."""
    causes = [name for name in graph.ancestors([target]) if name != target]
    others = [name for name in graph.nodes if name not in causes and name != target]
    bystanders = 1 if others and (trap or stream.chance(1, 3)) else 0
    chosen = [stream.choice(causes) for _ in range(count - bystanders)]
    chosen += [stream.choice(others) for _ in range(bystanders)]
    plans = []
    for place, name in enumerate(stream.shuffled(chosen), 1):
        far = name in others
        value = stream.choice((-12, 14, 15)) if far else stream.between(-8, 10)
        plans.append([f"plan {'ABCDEF'[place - 1]}", name, str(value)])
    return plans


def _model(params: Mapping[str, Any]) -> LinearModel:
    linear = params["linear"]
    coefficients = {(a, b): number(c) for a, b, c in linear["coefficients"]}
    return LinearModel.of(
        Graph.from_json(params["graph"]), coefficients, {name: number(v) for name, v in linear["noise"]}
    )


def _evidence(params: Mapping[str, Any]) -> dict[str, Fraction]:
    return {name: number(value) for name, value in params["observed"]}


def _outcomes(params: Mapping[str, Any]) -> dict[str, Fraction]:
    """Plan -> expected value of the target in this case."""
    model = _model(params)
    noises = model.abduct(_evidence(params))
    return {
        label: model.predict(noises, {name: number(value)})[params["target"]] for label, name, value in params["plans"]
    }


def _expected(params: Mapping[str, Any]) -> Fraction:
    """The target in this case as it was."""
    return _evidence(params)[params["target"]]


def _holds(claim: Mapping[str, Any], values: Mapping[str, Fraction], factual: Fraction) -> bool:
    value = values[claim["label"]]
    if claim["kind"] == "value":
        return abs(value - number(claim["value"])) <= Fraction(1, 200)
    if claim["kind"] == "matters":
        return value != factual
    return value > values[claim["other"]]


def _claims(
    stream: Stream, params: Mapping[str, Any], values: Mapping[str, Fraction], factual: Fraction
) -> list[Params]:
    target, labels = params["target"], list(values)
    claims: list[Params] = []
    for label in stream.sample(labels, 2):
        exact = Fraction(round(values[label] * 100), 100)
        wrong = exact + stream.choice((-1, 1)) * Fraction(stream.between(1, 6), 2)
        claims.append(
            {"kind": "value", "label": label, "name": target, "value": show(exact if stream.chance(1, 2) else wrong)}
        )
    idle = [label for label in labels if values[label] == factual]
    label = stream.choice(idle) if idle and stream.chance(2, 3) else stream.choice(labels)
    claims.append({"kind": "matters", "label": label, "name": target})
    one, other = stream.sample(labels, 2)
    claims.append({"kind": "above", "label": one, "name": target, "other": other})
    return [{"id": f"CLAIM_{place}", **claim} for place, claim in enumerate(stream.shuffled(claims), 1)]


BUNDLE = Counterfactual()
