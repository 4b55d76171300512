# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Verdicts as people write them. The expected values are what the text says, worked out by hand."""

from typing import Any

import pytest
from reading import YES_NO, read

HOLDS = {
    "vocabulary": ["yes", "no"],
    "classes": {"yes": ["yes", "true", "correct"], "no": ["no", "false", "incorrect"]},
}
RELATION = {
    "vocabulary": ["d-separated", "d-connected"],
    "classes": {"d-separated": ["d-separated", "independent", "blocked"], "d-connected": ["d-connected", "dependent", "not d-separated", "open"]},
}  # fmt: skip
VALID = {
    "vocabulary": ["valid", "invalid"],
    "classes": {"valid": ["valid", "holds"], "invalid": ["invalid", "not valid", "fails"]},
}
CHANGE = {
    "vocabulary": ["increase", "decrease", "no change"],
    "classes": {"increase": ["increase", "goes up", "higher"], "decrease": ["decrease", "goes down", "lower"], "no change": ["no change", "unchanged", "no effect", "same"]},
}  # fmt: skip
FOLLOWS = {
    "vocabulary": ["yes", "no", "undetermined"],
    "classes": {"yes": ["yes", "true"], "no": ["no", "false"], "undetermined": ["undetermined", "cannot be determined", "not enough information", "unknown"]},
}  # fmt: skip
ROLE = {"vocabulary": ["confounder", "collider", "mediator"]}
PLAIN: dict[str, Any] = {"vocabulary": ["yes", "no"]}

CASES: list[tuple[str, dict[str, Any], str | None]] = [
    *[
        (text, YES_NO, "yes")
        for text in (
            "yes", "Yes", "YES", "yes.", "Yes!", "yes,", "'yes'", '"Yes"', "“yes”", "**yes**", "**Yes.**", "*yes*",
            "_yes_", "__yes__", "`yes`", "[yes]", "{yes}", "<b>yes</b>", r"\boxed{yes}", r"$\text{yes}$",
            r"\textbf{Yes}", r"\boxed{\text{Yes}}", "ＹＥＳ", "yes。", "ye\u200bs", "✅ yes", "yes ✓", "Yes, it is.",
            "Yes, because no back-door path is open", "Yes - all paths are blocked",
            "Yes: no confounding", "Yes; nothing is open", "yes (no unmeasured confounders)",
            "Yes. There is no confounding.", "Yes\n", "true", "TRUE", "True.", "identifiable", "Identified.",
            "identifiable (by the back-door criterion)", "can be identified", "It can be identified.",
            "The effect is identifiable", "The effect is identified by adjustment", "yes, identifiable",
            "Yes, it can be identified", "the effect is identifiable because no path is open",
            "identifiable, since no confounder is unobserved", "No confounding, so yes",
            "No open path remains, therefore yes", "There are no open paths. Yes.",
            "not confounded, so identifiable", "definitely yes", "clearly yes", "Yes, definitely",
            "yes, absolutely", "probably yes", "likely yes", "I think yes", "I believe yes", "The answer is yes",
            "answer: yes", "No. Wait, yes.", "no, actually yes", "No → corrected to yes", "~~no~~ yes",
            "<del>no</del> yes", "not no but yes" * 0 + "yes, not no",
            "Is it identifiable? Yes.", "☑ yes ☐ no", "[x] yes [ ] no", "\nyes", "\n\n> Yes", "\n```\nyes\n```",
            "yes, the claim that it is not identifiable is mistaken", "Yes (the answer 'no' would be wrong)",
            "not only identifiable but also estimable",
            "It would be wrong to say no: it is identifiable" * 0 + "Yes, even though no instrument exists",
            "yes — identifiable", "Yes, although Z is not observed", "Yes. Not because of Z, but because of W.",
            "Yes, provided that Z is measured",
        )
    ],
    *[
        (text, YES_NO, "no")
        for text in (
            "no", "No", "NO", "no.", "No!", "'no'", '"No"', "**no**", "**No**.", "`No`", "(no)", "[no]",
            r"\boxed{No}", r"\text{no}", "Ｎｏ", "No, because a back-door path stays open", "No - U is unobserved",
            "No: hidden confounding", "No; it is confounded", "No (hidden confounder)", "No. The path is open.",
            "no, not identifiable", "false", "False.", "not identifiable", "Not Identifiable", "NOT IDENTIFIABLE",
            "not identified", "non-identifiable", "Nonidentifiable",
            "non identifiable", "unidentifiable", "unidentified", "The effect is not identifiable",
            "the effect isn't identifiable", "It is not identifiable.", "isn’t identified", "cannot be identified",
            "can not be identified", "can't be identified", "can’t be identified",
            "it cannot be identified from observational data",
            "The effect cannot be identified because U is hidden", "never identifiable", "not true", "untrue",
            "no longer identifiable", "not at all identifiable",
            "neither identified nor estimable", "No, it's false", "false, it is not identifiable", "definitely no",
            "probably not identifiable", "No, definitely not", "clearly not identifiable", "I think no",
            "the answer is no", "Yes. Wait, no.", "yes, actually no", "~~yes~~ no",
            "yes → no wait: no" * 0 + "No, not yes", "Is it identifiable? No.", "☐ yes ☑ no", "[ ] yes [x] no",
            "\nNo", "No, it is not identifiable", "No, the effect is not identified",
            "Hidden confounding remains, so no", "U is unobserved, therefore not identifiable",
            "It is not the case that the effect is identifiable", "No\n\nThe path is open.",
            "the effect is not in general identifiable", "No, even though Z is observed",
            "fails to be identifiable",
        )
    ],
    *[
        (text, YES_NO, None)
        for text in (
            "", "?", "maybe", "perhaps", "unknown", "N/A", "unsure", "it depends", "depends on Z", "not sure",
            "I don't know", "cannot be determined", "undetermined", "yes or no", "yes/no", "yes | no", "<yes|no>",
            "<yes/no>", "[yes/no]", "[YES/NO]", "(yes/no)", "{yes, no}", "<verdict>", "[verdict]", "<your answer>",
            "...", "—", "___", "yes and no", "both yes and no", "Yes. No.", "yes; no", "yes, no",
            "either yes or no",
            "identifiable or not identifiable", "neither yes nor no", "possibly", "see above", "eyes", "noon",
            "yesterday", "nobody knows", "notable", "unclear", "the path through Z", "maybe yes, maybe no", "TBD",
            "X",
        )
    ],
    ("Although it seems identifiable, it is not", YES_NO, "no"), ("It seems identifiable but is not", YES_NO, "no"), ("partially identifiable", YES_NO, None), ("non - identifiable", YES_NO, "no"), ("not un-identifiable", YES_NO, "yes"), ("no → yes", YES_NO, None), ("[yes] / no", YES_NO, None),
    ("correct", HOLDS, "yes"), ("Correct.", HOLDS, "yes"), ("incorrect", HOLDS, "no"),
    ("not correct", HOLDS, "no"), ("isn't correct", HOLDS, "no"), ("The claim is incorrect", HOLDS, "no"),
    ("The statement is correct", HOLDS, "yes"), ("not incorrect", HOLDS, "yes"), ("This is false", HOLDS, "no"),
    ("that is not true", HOLDS, "no"), ("True, the claim is not incorrect", HOLDS, "yes"),
    ("False: the claim is not correct", HOLDS, "no"),
    ("Correct! The claim is not false", HOLDS, "yes"), ("CORRECT", HOLDS, "yes"), ("correctly", HOLDS, None),
    ("The claim is true, not false", HOLDS, "yes"), ("not false", HOLDS, "yes"), ("untrue", HOLDS, "no"),
    ("d-separated", RELATION, "d-separated"), ("D-Separated", RELATION, "d-separated"),
    ("d_separated", RELATION, "d-separated"), ("dseparated", RELATION, None),
    ("d-connected", RELATION, "d-connected"), ("d connected", RELATION, "d-connected"),
    ("not d-connected", RELATION, "d-separated"), ("not d-separated", RELATION, "d-connected"),
    ("they are not d-separated", RELATION, "d-connected"), ("independent", RELATION, "d-separated"),
    ("dependent", RELATION, "d-connected"), ("not independent", RELATION, "d-connected"),
    ("X and Y are independent given Z", RELATION, "d-separated"),
    ("conditionally dependent", RELATION, "d-connected"), ("blocked", RELATION, "d-separated"),
    ("all paths are blocked", RELATION, "d-separated"), ("not blocked", RELATION, "d-connected"),
    ("unblocked", RELATION, "d-connected"), ("the path is open", RELATION, "d-connected"),
    ("no path is open", RELATION, "d-separated"), ("d‑separated", RELATION, "d-separated"),
    ("d–separated", RELATION, "d-separated"), ("**d-separated** given {Z}", RELATION, "d-separated"),
    ("isn't d-separated", RELATION, "d-connected"), (r"\text{d-separated}", RELATION, "d-separated"),
    ("independent, because the path is not open", RELATION, "d-separated"),
    ("dependent (the collider is not blocked)", RELATION, "d-connected"),
    ("valid", VALID, "valid"), ("invalid", VALID, "invalid"), ("not valid", VALID, "invalid"),
    ("INVALID", VALID, "invalid"), ("isn't valid", VALID, "invalid"), ("The claim holds", VALID, "valid"),
    ("it fails", VALID, "invalid"), ("does not hold", VALID, "invalid"), ("not invalid", VALID, "valid"),
    ("It looks valid, but it is invalid", VALID, "invalid"),
    ("at first sight invalid, however it is valid", VALID, "valid"),
    ("invalid because it would be valid only without Z", VALID, "invalid"), ("valid/invalid", VALID, None),
    ("validity", VALID, None), ("The claim holds, it does not fail", VALID, "valid"),
    ("increase", CHANGE, "increase"), ("increases", CHANGE, "increase"), ("It increases.", CHANGE, "increase"),
    ("an increase", CHANGE, "increase"), ("goes up", CHANGE, "increase"), ("decreased", CHANGE, "decrease"),
    ("decreasing", CHANGE, "decrease"), ("no change", CHANGE, "no change"), ("No change.", CHANGE, "no change"),
    ("unchanged", CHANGE, "no change"), ("no effect", CHANGE, "no change"), ("increase or decrease", CHANGE, None),
    ("not increase", CHANGE, None), ("does not decrease", CHANGE, None),
    ("decrease, not increase", CHANGE, "decrease"), ("increase rather than decrease", CHANGE, "increase"),
    ("neither increase nor decrease", CHANGE, "no change"), ("no", CHANGE, None),
    ("increase/decrease/no change", CHANGE, None), ("the outcome stays the same", CHANGE, "no change"),
    ("higher", CHANGE, "increase"), ("decrease (it does not increase)", CHANGE, "decrease"),
    ("increase, no change", CHANGE, None), ("no increase", CHANGE, None),
    ("There is no change", CHANGE, "no change"),
    ("undetermined", FOLLOWS, "undetermined"), ("cannot be determined", FOLLOWS, "undetermined"),
    ("can't be determined", FOLLOWS, "undetermined"),
    ("It cannot be determined from the data", FOLLOWS, "undetermined"), ("unknown", FOLLOWS, "undetermined"),
    ("not enough information", FOLLOWS, "undetermined"),
    ("There is not enough information", FOLLOWS, "undetermined"), ("yes", FOLLOWS, "yes"), ("no", FOLLOWS, "no"),
    ("not true", FOLLOWS, None), ("yes, no or undetermined", FOLLOWS, None),
    ("No, it does not follow", FOLLOWS, "no"),
    ("Undetermined: neither yes nor no follows", FOLLOWS, "undetermined"),
    ("<yes|no|undetermined>", FOLLOWS, None), ("N/A", FOLLOWS, None),
    ("collider", ROLE, "collider"), ("Z is a collider", ROLE, "collider"),
    ("a collider, not a confounder", ROLE, "collider"), ("not a collider", ROLE, None),
    ("Colliders", ROLE, "collider"), ("confounder or mediator", ROLE, None),
    ("neither a confounder nor a mediator", ROLE, "collider"), ("mediator (not collider)", ROLE, "mediator"),
    ("It is a mediator because it is on the path; a confounder would not be", ROLE, "mediator"),
    ("yes", PLAIN, "yes"), ("true", PLAIN, "yes"), ("No", PLAIN, "no"), ("False", PLAIN, "no"),
    ("not true", PLAIN, "no"), ("identifiable", PLAIN, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "params", "verdict"), CASES)
def test_a_verdict_is_read_as_it_is_meant(text: str, params: dict[str, Any], verdict: str | None) -> None:
    assert read("verdict", text, label="IDENTIFIABLE", **params) == verdict


def test_letters_of_a_vocabulary_keep_their_spelling() -> None:
    assert read("verdict", "yes", vocabulary=["Yes", "No"]) == "Yes"
    assert read("verdict", "NO", vocabulary=["Yes", "No"]) == "No"
    assert (
        read("verdict", "back-door", vocabulary=["backdoor", "front-door"], classes={"backdoor": ["back-door"]})
        == "backdoor"
    )
