"""The reference of the Python interface: which modules it shows, and how their docstrings become Markdown.

mkdocstrings writes the pages. It reads sources and imports nothing, so the private evaluator is described here while
none of its code runs in the process that builds the site.
"""

import re
from importlib.util import find_spec
from typing import Any

from griffe import Docstring, Extension, Object

PUBLIC = (
    "benchpress.items",
    "benchpress.jsonl",
    "benchpress.generation",
    "benchpress.grading",
    "benchpress.solve",
    "benchpress.commitment",
    "benchpress.registry",
    "benchpress.errors",
    "benchpress.adapters.practice",
    "benchpress.adapters.rows",
    "benchpress.adapters.lm_evaluation",
    "benchpress.adapters.hugging_face",
)
"""What others call; what is on neither list may change without notice."""

SEAMS = (
    "benchpress.streams",
    "benchpress.gate",
    "benchpress.protocol",
    "benchpress.parts.labelled",
    "benchpress.parts.outcome",
    "benchpress.parts.tagged",
    "benchpress.modules.choice.benchmarks.base",
    "benchpress.modules.choice.question",
    "benchpress_evaluator.records",
    "benchpress_evaluator.methods.base",
    "benchpress_evaluator.providers.base",
    "benchpress_evaluator.providers.errors",
    "benchpress_evaluator.stats.metric",
    "benchpress_evaluator.stats.frame",
)
"""What a module, part type, benchmark, method, provider or metric of one's own is written against."""

ROLE = re.compile(r":(func|class|meth|mod|data):`([\w.]+)`")

WORDLESS = "A record of these fields."
"""What is said of a class that says nothing itself: mkdocstrings would leave it out."""


def installed(modules: tuple[str, ...]) -> list[str]:
    """Those whose distribution is there: the site can be built without the evaluator."""
    return [name for name in modules if find_spec(name.partition(".")[0])]


def linked(text: str, module: str, owner: str) -> str:
    """`text` with each role as code, which becomes a link where the reference describes that name.

    `module` and `owner` are the paths of the module, and of the class or module, in which the text stands.
    """

    def link(found: re.Match[str]) -> str:
        role, name = found.groups()
        scope = owner if role == "meth" and "." not in name else module
        target = name if name.startswith(("benchpress.", "benchpress_evaluator.")) else f"{scope}.{name}"
        return f'<autoref identifier="{target}" optional><code>{name}</code></autoref>'

    return ROLE.sub(link, text)


class Roles(Extension):
    """Hands mkdocstrings docstrings in Markdown, which has no roles such as ``:func:`name` ``."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring:
            owner = obj.path if obj.is_module or obj.is_class else obj.path.rpartition(".")[0]
            obj.docstring.value = linked(obj.docstring.value, obj.module.path, owner)
        elif obj.is_class:
            obj.docstring = Docstring(WORDLESS, parent=obj)
