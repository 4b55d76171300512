"""From a printed prompt back to the problem: what any entrant has to do, and what the reference solvers do."""

from benchpress.modules.causal import MODULE
from benchpress.modules.causal.bundle import Bundle
from benchpress.wording.sections import Params


def read_prompt(prompt: str) -> tuple[Bundle, Params]:
    """The bundle that a prompt belongs to and the params it states.

    Tries the bundles whose questions occur in the prompt. Raises ValueError for a prompt of no bundle.
    """
    for bundle in MODULE.rooms.values():
        params = bundle.read(prompt)
        if params is not None:
            return bundle, params
    raise ValueError("this is not a prompt of the causal module")
