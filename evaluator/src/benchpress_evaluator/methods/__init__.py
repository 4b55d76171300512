"""How an item is put to a model: from an item to calls to one answer. One file a method, each a `METHOD`."""

from benchpress.registry import Registry

from benchpress_evaluator.methods.base import Answer, Ask, AskAbout, Gated, Material, Method, MethodChoice

METHODS: Registry[Method] = Registry(
    "benchpress.methods",
    "method",
    {
        "direct": "benchpress_evaluator.methods.direct:METHOD",
        "direct_logprob": "benchpress_evaluator.methods.direct_logprob:METHOD",
        "cyclic_permutation": "benchpress_evaluator.methods.cyclic_permutation:METHOD",
        "two_stage": "benchpress_evaluator.methods.two_stage:METHOD",
        "cyclic_logprob": "benchpress_evaluator.methods.cyclic_logprob:METHOD",
        "pride": "benchpress_evaluator.methods.pride:METHOD",
        "shuffled": "benchpress_evaluator.methods.shuffled:METHOD",
    },
    needs=("given", "check", "prepare", "answer"),
)


def method_of(choice: MethodChoice) -> Method:
    """The method that was chosen, with its material. Raises UserError for an unknown or broken one."""
    return METHODS.get(choice.name).given(choice.material)


__all__ = ["METHODS", "Answer", "Ask", "AskAbout", "Gated", "Material", "Method", "MethodChoice", "method_of"]
