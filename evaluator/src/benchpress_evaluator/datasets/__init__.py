"""Multiple-choice sets: fetched, brought into one form, and kept as artifacts that are refused once changed.

`sources` finds the files of a split, on the Hugging Face hub or in a folder; `tables` reads their rows; the pure
normalisers are the generator's; `artifact` writes what came out, with digests, and reads it back.
"""

from benchpress_evaluator.datasets.artifact import Prepared, Spec, read
from benchpress_evaluator.datasets.preparation import load, prepare

__all__ = ["Prepared", "Spec", "load", "prepare", "read"]
