"""What a solver who picks an option has done, in words."""

from collections.abc import Mapping

SAID: Mapping[str, str] = {
    "key": "the key",
    "naive": "takes the unadjusted comparison, what is seen, for what is asked",
    "adjust_all": "adjusts for everything recorded",
    "adjust_parents": "adjusts for the recorded direct causes of the treatment",
    "ignore_colliders": "thinks that every association is open",
    "another": "answers another question about the same problem",
    "sign": "has the sign the wrong way round",
    "complement": "gives the chance of the opposite event",
    "overcorrected": "corrects a bias twice, or in the wrong direction",
    "difference": "gives the bias instead of the effect",
    "reversed": "has the order the wrong way round",
    "everything": "names everything there is",
    "nothing": "says that nothing is needed",
    "impossible": "says that nothing will do",
    "slip": "is a slip of arithmetic away from the key",
    "slip_mistake": "is a slip of arithmetic away from another wrong answer",
    "near": "differs in one member from the key",
    "near_mistake": "differs in one member from the result of a bad habit",
}
"""Where an option comes from -> what leads to it, where the concept says nothing more telling."""

IN_CONCEPT: Mapping[str, Mapping[str, str]] = {
    "mediation NDE": {"adjust_all": "holds the mediator fixed: that is the controlled effect"},
    "mediation NIE": {"naive": "takes the total effect less the direct one"},
    "simpson EFFECT": {"ignore_colliders": "adjusts for every stratifying variable that is not on the way"},
    "base_rate POSTERIOR": {"adjust_all": "neglects the base rate"},
    "base_rate POSTERIOR_TWO": {
        "adjust_all": "neglects the base rate",
        "naive": "takes each clue for evidence of its own, whatever the other says",
    },
    "instrument CONDITION_ON": {
        "adjust_all": "conditions on everything that the treatment does not affect",
        "adjust_parents": "conditions on the recorded direct causes of the treatment",
        "ignore_colliders": "conditions on whatever goes along with candidate and outcome",
    },
    "front_door FRONT_DOOR_SET": {"ignore_colliders": "takes everything on the way from treatment to outcome"},
    "selection EFFECT": {"naive": "takes the contrast among the selected for the effect in everybody"},
    "selection NEEDED_EXTERNAL": {
        "adjust_all": "wants everything known that the treatment does not affect",
        "adjust_parents": "wants the direct causes of the selection known",
        "ignore_colliders": "wants every cause of the selection known",
    },
    "transport EFFECT": {"naive": "takes the effect in the source as it is"},
    "transport ADMISSIBLE_SET": {
        "adjust_all": "takes everything that the treatment does not affect",
        "adjust_parents": "takes the direct causes of the treatment",
        "ignore_colliders": "takes the variables whose mechanisms may differ",
    },
    "time_varying ORDER": {"naive": "ranks the plans by what is seen where they happened to be followed"},
    "d_separation MINIMAL_SEPARATOR": {"adjust_all": "holds everything else fixed"},
    "equivalence V_STRUCTURES": {"adjust_parents": "counts shielded colliders as well"},
    "equivalence CLASS_SIZE": {
        "naive": "lets every arrow outside the unshielded colliders point both ways",
        "adjust_parents": "takes every arrow for compelled",
    },
    "discovery GRAPHS_LEFT": {
        "naive": "lets every link point both ways",
        "adjust_parents": "does not carry on what colliders and experiments show",
        "ignore_colliders": "uses the experiments and no collider",
    },
    "counterfactual COUNTERFACTUAL": {
        "naive": "reads the change as an observation of another case",
        "adjust_all": "holds everything else at what was seen",
        "ignore_colliders": "forgets the noises of the case",
    },
    "counterfactual ORDER": {
        "naive": "reads the changes as observations of other cases",
        "adjust_all": "holds everything else at what was seen",
        "ignore_colliders": "forgets the noises of the case",
    },
    "causation_probability LOWER": {
        "naive": "takes the observed difference for the share that benefits",
        "adjust_all": "uses the experiments alone and not what was observed",
    },
    "causation_probability UPPER": {
        "naive": "takes the observed difference for the share that benefits",
        "adjust_all": "uses the experiments alone and not what was observed",
    },
    "identification C_COMPONENT": {
        "adjust_all": "takes the component in the whole diagram",
        "ignore_colliders": "takes the component in the whole diagram",
    },
    "effect_modification ATT": {"naive": "takes the effect to be the same in everybody"},
    "effect_modification MODIFIERS": {
        "naive": "takes whatever acts on the outcome for a modifier",
        "adjust_all": "names everything that the treatment does not affect",
        "adjust_parents": "judges on the other scale",
        "ignore_colliders": "counts what the treatment affects as well",
    },
    "measurement_error CORRECTED": {"naive": "takes the reading for the quantity itself"},
    "measurement_error USABLE": {
        "adjust_all": "takes the recorded direct causes of the quantity",
        "adjust_parents": "takes the recorded direct causes of the quantity",
        "ignore_colliders": "takes whatever goes along with the reading",
    },
    "do_vs_observe WHY": {
        "adjust_all": "names everything but action and outcome",
        "adjust_parents": "names the direct causes of the action",
    },
    "difference_in_differences EFFECT": {"naive": "takes the comparison of changes for the effect, whatever happened"},
    "difference_in_differences DID": {"adjust_all": "compares the treated before and after, and nobody else"},
    "experiment_design TARGETS": {
        "naive": "takes the variables with most open links first",
        "adjust_all": "takes every variable with an open link",
    },
    "experiment_design REMAINING": {"ignore_colliders": "lets every link that is left point both ways"},
}
"""Concept and part -> what a bad habit means there."""


def said(concept: str, part: str, origin: str) -> str:
    """What leads to an option that comes from `origin`, in the question about `part` of `concept`."""
    return IN_CONCEPT.get(f"{concept} {part}", {}).get(origin, SAID[origin])
