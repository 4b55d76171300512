"""A metric that a user would write: one function from the results frame to a table."""

from benchpress_evaluator.stats.frame import answers_of
from benchpress_evaluator.stats.metric import Table


def longest(frame, settings):
    counts = answers_of(frame).groupby("entrant", observed=True).size().rename("items").reset_index()
    return Table("Items per entrant", counts)
