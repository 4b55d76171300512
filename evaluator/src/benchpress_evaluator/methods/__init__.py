"""How an item is put to a model: from an item to calls to one answer. One file a method, each a `METHOD`."""

from benchpress.registry import Registry

from benchpress_evaluator.methods.base import Answer, Ask, AskAbout, Gated, Method, MethodChoice

METHODS: Registry[Method] = Registry(
    "benchpress.methods",
    "method",
    {"direct": "benchpress_evaluator.methods.direct:METHOD"},
)

__all__ = ["METHODS", "Answer", "Ask", "AskAbout", "Gated", "Method", "MethodChoice"]
