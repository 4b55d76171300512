"""Names for what is added to a graph: latents, switches between populations, noises, bound variables."""

from collections.abc import Iterable


def fresh_names(wanted: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """The `wanted` names in their order, each primed until it is neither in `taken` nor one of those before it.

    Nodes may have any name, so that no name is safe by its looks alone.

    >>> fresh_names(["latent 0", "latent 1"], ["latent 0", "latent 0'"])
    ("latent 0''", 'latent 1')
    """
    used = set(taken)
    names = []
    for name in wanted:
        while name in used:
            name += "'"
        used.add(name)
        names.append(name)
    return tuple(names)
