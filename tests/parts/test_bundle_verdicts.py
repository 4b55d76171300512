"""What people say in place of one word: verdicts in sentences, by the vocabularies of the causal bundles.

Expected values are what a patient person reads; where nothing is settled, none.
"""

import json
from typing import Any

import pytest
from installed import ROOT
from reading import read

SAID: dict[tuple[str, str], dict[str, str | None]] = {
    ("confounding", "BIAS_DIRECTION"): {
        "the naive estimate is biased upward": "upward",
        "there is no bias": "none",
        "not biased upward but downward": "downward",
        "it is an overestimate": "upward",
        "the crude difference overestimates the effect": "upward",
        "the bias is not downward, it is upward": "upward",
        "Since Z is not measured the bias is upward": "upward",
        "Z is not a collider and the bias is downward": "downward",
        "it does not underestimate; it overestimates": "upward",
        "the estimate is too high": None,
        "it is higher than the true effect": "upward",
        "neither upward nor downward": "none",
        "the naive contrast is unbiased": "none",
        "positive bias": "upward",
        "the bias is negative (downward)": "downward",
        "there is not any bias": "none",
        "no upward bias, so none": "none",
        "cannot be upward, hence downward": "downward",
        "the bias goes up": "upward",
    },
    ("collider_bias", "VERDICT"): {
        "conditioning creates an association": "creates",
        "it induces a spurious association": "creates",
        "it does not create one, it changes it": "changes",
        "it opens a path": "creates",
        "it closes the path and removes the association": "removes",
        "no path is opened and it stays unchanged": "unchanged",
        "it leaves the association unchanged": "unchanged",
        "selection changes but does not remove the association": "changes",
        "the association is not removed but changed": "changes",
        "neither creates nor removes it, it only changes it": "changes",
        "there was none before, so it creates one": "creates",
        "no change": "unchanged",
        "there is no change": "unchanged",
    },
    ("simpson", "USE"): {
        "use the pooled table": "pooled",
        "use the stratified figures, not the pooled ones": "stratified",
        "the pooled one is right, not the stratified one": "pooled",
        "pooled, since Z is not a confounder": "pooled",
        "Z is a confounder and so stratified": "stratified",
        "neither": "neither",
        "both are right": "both",
        "do not stratify; use pooled": "pooled",
        "stratified rather than pooled": "stratified",
        "not pooled": None,
    },
    ("base_rate", "DIRECTION"): {
        "it raises the probability": "raises",
        "it lowers it": "lowers",
        "it stays the same": "same",
        "it does not raise but lowers": "lowers",
        "the probability is not lowered, it is raised": "raises",
        "it neither raises nor lowers it, same": "same",
        "evidence raises it since it is not independent": "raises",
    },
    ("d_separation", "SEPARATED_1"): {
        "they are not separated": "no",
        "they are d-separated": "yes",
        "they are independent": "yes",
        "they are dependent": "no",
        "no open path, so independent": "yes",
        "no path is open and they are independent": "yes",
        "all paths are blocked, hence separated": "yes",
        "X and Y are not independent given Z": "no",
        "not dependent": "yes",
        "the path through Z is not blocked so they are connected": "no",
        "the path is not blocked and they are connected": "no",
        "because C is not conditioned on they are independent": "yes",
        "with no open path X and Y are independent": "yes",
        "without conditioning on C they are separated": "yes",
        "they cannot be separated": "no",
        "there is no open path between them and X and Y are separated": "yes",
        "since no path is open X and Y are independent": "yes",
        "X and Y aren't independent": "no",
        "one path is open, they are connected": "no",
        "they are no longer separated": "no",
        "they are not connected": "yes",
        "X is not independent of Y": "no",
        "no active path means they are independent": "yes",
        "no active trail makes them dependent": "yes",
        "Z does not block the path and X and Y are dependent": "no",
        "Z does not block the path therefore dependent": "no",
    },
    ("measurement_error", "DIRECTION"): {
        "attenuated": "attenuated",
        "the slope is shrunk toward zero": "attenuated",
        "not attenuated but inflated": "inflated",
        "the sign is flipped": "reversed",
        "biased toward zero": "attenuated",
        "it is unbiased": "unchanged",
        "no attenuation, unchanged": "unchanged",
        "the estimate is not reversed but attenuated": "attenuated",
        "it is exaggerated away from zero": "inflated",
        "error in Y is no problem, so it is unchanged": "unchanged",
    },
    ("difference_in_differences", "ASSUMPTION"): {
        "none of the assumptions is violated": "none",
        "parallel trends fails": "trends",
        "the parallel trends assumption is violated": "trends",
        "anticipation: units react early": "anticipation",
        "there is no anticipation but spillover": "spillover",
        "spillovers to the comparison group": "spillover",
        "not anticipation, but contamination": "contamination",
        "the trends are not parallel": "trends",
        "nothing is violated": "none",
        "the assumption holds": "none",
    },
    ("instrument", "EXCLUSION"): {
        "the exclusion restriction is violated": "exclusion",
        "exclusion fails": "exclusion",
        "exogeneity is violated": "exogeneity",
        "both fail": "both",
        "neither is violated": "none",
        "the instrument is valid": "none",
        "none": "none",
        "both are violated": "both",
        "exclusion holds but exogeneity fails": "exogeneity",
        "not exclusion but exogeneity": "exogeneity",
        "exogeneity, not exclusion": "exogeneity",
    },
    ("m_bias", "VERDICT"): {
        "with": "with",
        "adjust without it": "without",
        "it is better without": "without",
        "the same": "same",
        "omit it": "without",
        "both are equally biased": "same",
        "adjusting with the candidate is closer": "with",
        "include it": "with",
        "excluding it is better": "without",
    },
    ("effect_modification", "SCALE_VERDICT"): {
        "on the ratio scale": "ratio",
        "the difference, not the ratio": "difference",
        "both": "both",
        "neither": "neither",
        "there is modification on both scales": "both",
        "only on the difference scale": "difference",
        "on the difference scale but not on the ratio scale": "difference",
        "not on the ratio scale": None,
    },
}


@pytest.fixture(scope="module")
def parameters() -> dict[tuple[str, str], Any]:
    """The parameters of every part of the public examples, by bundle and label."""
    items = map(json.loads, (ROOT / "public_examples" / "causal.jsonl").read_text(encoding="utf-8").splitlines())
    return {(item["bundle"], part["id"]): part["params"] for item in items for part in item["parts"]}


@pytest.mark.parametrize(
    ("where", "text"), [(where, text) for where, told in SAID.items() for text in told], ids=lambda value: str(value)
)
def test_a_sentence_is_the_verdict_that_it_says(where: tuple[str, str], text: str, parameters: Any) -> None:
    assert read("verdict", text, **parameters[where]) == SAID[where][text]
