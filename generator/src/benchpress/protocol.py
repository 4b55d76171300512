"""Tagged text: the answer format that a prompt asks for, and values written in it.

An answer is one line a part, ``LABEL: value``. The reader of such lines is :mod:`benchpress.parts.tagged`;
what each part type accepts as a value is in :mod:`benchpress.parts`.
"""

from collections.abc import Mapping, Sequence

from benchpress.items import Json, Part

IMPOSSIBLE = "IMPOSSIBLE"
"""The member of a universe that says: no admissible set exists."""


OPENING = "You may reason first, but only the final answer is read."
"""How the closing paragraph of every prompt begins; the problem ends before it."""


def answer_instructions(parts: Sequence[Part], example: Mapping[str, Json]) -> str:
    """The closing paragraph of a prompt: the lines asked for, what each may hold, and a worked example.

    `example` gives a value for every part id, far from the item's key. Raises KeyError where one is missing.
    """
    several = len(parts) != 1
    lines = "these lines, one for each part and nothing after them" if several else "this line and nothing after it"
    form = "\n".join(f"{part.id}: <{_form(part)}>" for part in parts)
    notes = [note for part in parts for note in _notes(part)]
    text = [
        f"{OPENING} End with {lines}, the label at the start of {'each' if several else 'the'} line:",
        form,
    ]
    if notes:
        text.append("\n".join(f"- {note}" for note in dict.fromkeys(notes)))
    text.append("Example of the format, taken from an unrelated problem:")
    text.append(render_answer(parts, example))
    return "\n\n".join(text)


def render_answer(parts: Sequence[Part], values: Mapping[str, Json]) -> str:
    """The answer lines that give `values` (part id to value), in the order of the parts."""
    return "\n".join(f"{part.id}: {render_value(part.type, values[part.id], part.params)}" for part in parts)


def render_value(part_type: str, value: Json, params: Mapping[str, Json] | None = None) -> str:
    """`value` in the form that a solver would write behind the label."""
    if part_type == "node_set":
        return IMPOSSIBLE if list(value) == [IMPOSSIBLE] else "{" + ", ".join(value) + "}"
    if part_type == "edges":
        mark = "--" if params is not None and params.get("directed") is False else "->"
        return ", ".join(f"{tail} {mark} {head}" for tail, head in value) or "{}"
    if part_type == "sequence":
        return ", ".join(value)
    return str(value)


def _form(part: Part) -> str:
    if part.type == "number":
        return "a number"
    if part.type == "node_set":
        return "names between braces, separated by commas"
    if part.type == "sequence":
        return "names in order, separated by commas"
    if part.type == "edges":
        return "edges, separated by commas"
    if part.type == "verdict":
        return "|".join(part.params.get("vocabulary", ("yes", "no")))
    if part.type == "choice":
        return "a letter"
    return "your answer"


def _notes(part: Part) -> list[str]:
    """What a solver must know beyond the form, a sentence each."""
    if part.type == "number":
        note = f"{part.id} is a decimal or a fraction such as 7/2; a value followed by % counts as divided by 100."
        tolerance = str(part.params.get("tolerance", "0"))
        if tolerance.strip("0.") != "":
            note += f" A value within {tolerance} of the exact one is correct."
        return [note]
    if part.type == "node_set":
        notes = [f"{part.id} may be the empty set, written {{}}."]
        if IMPOSSIBLE in part.params.get("universe", ()):
            notes.append(
                f"If no set of the required kind exists, write {part.id}: {IMPOSSIBLE}, "
                "which is not the same as the empty set {}."
            )
        return notes
    if part.type == "edges":
        mark = "--" if part.params.get("directed") is False else "->"
        return [f"An edge of {part.id} is written name {mark} name. If there is none, write {part.id}: {{}}."]
    if part.type == "sequence" and part.params.get("cyclic"):
        return [f"{part.id} is a cycle: start anywhere, and do not repeat the first name at the end."]
    if part.type == "verdict":
        words = list(part.params.get("vocabulary", ("yes", "no")))
        return [f"{part.id} is exactly one of: {', '.join(words)}."]
    return []
