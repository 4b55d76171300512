"""Statistics of results: the frame, and one file for each kind of statistic over it.

A metric is one registered function from the frame to a table; nothing here asks a model or reads a file.
"""

from typing import Any

from benchpress.registry import Registry

METRICS: Registry[Any] = Registry(
    "benchpress.metrics",
    "metric",
    {
        "accuracy": "benchpress_evaluator.stats.accuracy:accuracy_metric",
        "statuses": "benchpress_evaluator.stats.statuses:statuses_metric",
        "stop_reasons": "benchpress_evaluator.stats.statuses:stop_reasons_metric",
        "bundles": "benchpress_evaluator.stats.accuracy:bundle_metric",
        "variants": "benchpress_evaluator.stats.accuracy:variant_metric",
        "levels": "benchpress_evaluator.stats.accuracy:level_metric",
        "parts": "benchpress_evaluator.stats.accuracy:part_metric",
        "skills": "benchpress_evaluator.stats.accuracy:skill_metric",
        "usage": "benchpress_evaluator.stats.efficiency:usage_metric",
        "pareto": "benchpress_evaluator.stats.pareto:pareto_metric",
        "ranks": "benchpress_evaluator.stats.ranks:ranks_metric",
        "tiers": "benchpress_evaluator.stats.tiers:tiers_metric",
        "saturation": "benchpress_evaluator.stats.saturation:saturation_metric",
        "items": "benchpress_evaluator.stats.item_analysis:items_metric",
        "common_wrong": "benchpress_evaluator.stats.item_analysis:common_wrong_metric",
        "timeline": "benchpress_evaluator.stats.timeline:timeline_metric",
        "irt": "benchpress_evaluator.stats.irt:irt_metric",
        "irt_items": "benchpress_evaluator.stats.irt:irt_items_metric",
        "budget": "benchpress_evaluator.stats.budget:budget_metric",
        "measures": "benchpress_evaluator.stats.measures:measures_metric",
        "pairs": "benchpress_evaluator.stats.comparison:pairs_metric",
        "choice_accuracy": "benchpress_evaluator.stats.order_bias:choice_accuracy_metric",
        "mad": "benchpress_evaluator.stats.order_bias:mad_metric",
        "recall_rstd": "benchpress_evaluator.stats.order_bias:recall_rstd_metric",
        "order_sensitivity": "benchpress_evaluator.stats.order_bias:order_sensitivity_metric",
        "order_bias": "benchpress_evaluator.stats.order_bias:order_bias_metric",
        "choice_pairs": "benchpress_evaluator.stats.choice_pairs:choice_pairs_metric",
        "run_agreement": "benchpress_evaluator.stats.choice_pairs:run_agreement_metric",
    },
)
