# ruff: noqa: E501, SIM905 - a list of words stays one list
"""Words of health, biology, security and violence that no prompt may have, and innocent words that look like them."""

import pytest
from benchpress.wording.lint import lint

UNFIT = (
    "health healthy medicine medical drugs patients hospital clinic clinical doctor nurse disease illness sickness "
    "symptoms diagnosis therapy vaccine cancer tumor doses dosage pharmacy cholesterol blood smoking "
    "tobacco alcohol obesity dietary mortality survival death dead dying pregnancy births infants mental depression "
    "anxiety suicide painful injury wounds heart lungs liver kidney stroke asthma diabetes epidemic pandemic covid virus "
    "viral infected contagious immunity antibodies toxic poison genes genetics genome dna rna protein enzymes cells "
    "bacteria microbes pathogens fungus mutation embryos organisms species biology biochemistry hormones pesticide "
    "herbicide insecticide security hackers malware exploits vulnerability phishing passwords encryption cyberspace "
    "ransom breaches firewall spy surveillance terrorism smuggling fraud theft stealing burglary crimes prison police "
    "weapons guns firearms ammunition explosives bombs missiles nuclear radioactivity chemicals killed murder attacks "
    "assault violence abuse torture wars soldiers military army combat shooting stabbed fighting rape sexual victims "
    "hostages genocide riots ransomware cybersecurity surgery surgeon surgical warplane warpath"
).split()
INNOCENT = (
    "award backwards birthplace cellar deliver discriminating downward environmental excel experimental forward "
    "fundamental general generates generic generous hearth incremental inward mortar nursery onward outward paint reward "
    "stability stable surge towards treatment upward warehouse warm warming warmth warning warp warped warranty wary surges surging market price rainfall"
).split()  # fmt: skip


@pytest.mark.parametrize("word", UNFIT)
def test_an_unfit_word_is_refused_in_any_case_and_place(word: str) -> None:
    assert lint(f"More {word} than before.") == [word]
    assert lint(f"{word.upper()}-based, «é»") == [word.upper()]


@pytest.mark.parametrize("word", INNOCENT)
def test_an_innocent_word_is_not(word: str) -> None:
    assert lint(f"More {word}, {word.title()} than before.") == []


@pytest.mark.parametrize("phrase", ["weight loss", "stem cell"])
def test_a_phrase_is_refused_as_one(phrase: str) -> None:
    assert phrase in lint(f"The {phrase.title()} is told.")
