"""Graphs for mediation: what breaks identification, what does no harm, and what merely looks as if it broke it."""

from benchpress.modules.causal.gadgets import Gadget

# Letters are new variables, in capitals where they are unrecorded; T, M, Y are treatment, mediator and outcome.
BREAKING: tuple[Gadget, ...] = (
    ("U>M", "U>Y"),
    ("U>T", "U>Y"),
    ("U>T", "U>M"),
    ("T>a", "a>M", "a>Y"),
    ("T>a", "a>b", "b>M", "a>Y"),
    ("U>M", "U>a", "a>Y", "T>a"),
    ("T>a", "U>a", "U>Y", "a>M"),
)
"""Why no set of recorded covariates will do: an open back-door path, or one that runs through an effect of T."""
HARMLESS: tuple[Gadget, ...] = (
    ("a>T", "a>Y"),
    ("a>M", "a>Y"),
    ("a>T", "a>M"),
    ("U>M", "U>a", "a>Y"),
    ("U>T", "U>a", "a>Y"),
    ("a>T", "U>a", "U>M"),
)
"""Common causes that recorded covariates block."""
LOOKALIKES: tuple[Gadget, ...] = (
    ("T>a", "a>Y"),
    ("T>a", "M>a"),
    ("M>a", "Y>a"),
    ("M>a", "a>Y"),
    ("T>a", "U>a", "U>b"),
    ("U>a", "U>Y", "M>a"),
    ("U>T", "U>a"),
    ("U>a", "a>T"),
)
FILLERS: tuple[Gadget, ...] = (
    ("a>T",),
    ("a>M",),
    ("a>Y",),
    ("a>b", "b>T"),
    ("a>b", "b>M"),
    ("U>Y",),
    ("Y>a",),
    ("M>a",),
    ("T>a", "Y>a"),
)
