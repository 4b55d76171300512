"""Reference solvers of the replay module: the two calibration baselines, which read the printed prompt."""

from collections.abc import Callable, Mapping

from benchpress.modules.replay import baselines_scores, baselines_symbolic

SOLVERS: Mapping[str, Callable[[str], str]] = {
    "exact": baselines_symbolic.solve,
    "symbolic": baselines_symbolic.solve,
    "score_search": baselines_scores.solve,
}
"""Name -> function from prompt to answer; `exact` is the strongest solver of every module, here the symbolic search."""
