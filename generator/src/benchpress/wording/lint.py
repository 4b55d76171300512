"""The vocabulary lint: no term of health, biology, security or violence in anything that an entrant reads.

A model that refuses a benign item measures nothing, so such words never occur. Terms are matched as word stems, so
inflected forms and compounds are caught; a short list of innocent words that contain a stem is exempt.
"""

import re
from functools import lru_cache

STEMS: tuple[str, ...] = (
    # health
    "health", "medic", "drug", "patient", "hospital", "clinic", "doctor", "nurs", "disease", "illness", "sick",
    "symptom", "diagnos", "therap", "treatm", "vaccin", "cancer", "tumo", "surg", "dose", "dosage", "pharma",
    "cholesterol", "blood", "smok", "tobacco", "alcohol", "obes", "diet", "weight loss", "mortal", "surviv", "death",
    "dead", "dying", "pregnan", "birth", "infant", "mental", "depress", "anxi", "suicid", "pain", "injur", "wound",
    "heart", "lung", "liver", "kidney", "stroke", "asthma", "diabet", "epidemi", "pandem", "covid", "virus", "viral",
    "infect", "contagi", "immun", "antibod", "toxi", "poison",
    # biology
    "gene", "genet", "genom", "dna", "rna", "protein", "enzym", "cell", "bacteri", "microb", "pathogen", "fung",
    "mutat", "embryo", "stem cell", "organism", "species", "biolog", "bioch", "hormon", "pestic", "herbic", "insectic",
    # security
    "secur", "hack", "malware", "exploit", "vulnerab", "phish", "password", "encrypt", "cyber", "ransom", "breach",
    "firewall", "spy", "surveil", "terror", "smuggl", "fraud", "theft", "steal", "burgl", "crim", "prison", "police",
    "weapon", "gun", "firearm", "ammun", "explos", "bomb", "missile", "nuclear", "radioact", "chemical",
    # violence
    "kill", "murder", "attack", "assault", "violen", "abus", "tortur", "war", "soldier", "militar", "army", "combat",
    "shoot", "stab", "fight", "rape", "sexual", "victim", "hostage", "genocid", "riot",
)  # fmt: skip
"""Word beginnings; a word that starts with one, or a compound whose second half does, is refused."""

INNOCENT: tuple[str, ...] = (
    "award", "backward", "birthplace", "cellar", "cellulos", "deliver", "departmental", "discriminat", "downward",
    "environmental", "excel", "experimental", "forward", "fundamental", "general", "generat", "generic", "generous",
    "hearth", "incremental", "inward", "mortar", "nurser", "onward", "outward", "paint", "reward", "stabil", "stable",
    "toward", "treatment", "upward", "ware", "warn", "warrant", "wary",
)  # fmt: skip
"""Beginnings of innocent words that hold a stem; `treatment` is the field's term for a cause under study."""

INNOCENT_WORDS = frozenset(
    (
        "surge", "surged", "surges", "surging", "warm", "warmed", "warmer", "warmest", "warming", "warmly", "warms",
        "warmth", "warmup", "warp", "warped", "warping", "warps",
    )
)  # fmt: skip
"""Innocent words that also begin unfit ones (surgeon, warplane), so that they are exempt only as they stand here."""

_PHRASES = tuple(stem for stem in STEMS if " " in stem)
_WORD = re.compile(r"[^\W\d_]+")
_APART = {place: " " for place in range(128) if not chr(place).isalpha()}
"""What parts words in plain ASCII text, for `str.translate`, which is faster than a pattern."""


@lru_cache(maxsize=16384)
def refused_term(word: str) -> str | None:
    """The stem that makes `word` unfit, or None. `word` is one word, any case."""
    folded = word.casefold()
    if folded in INNOCENT_WORDS or folded.startswith(INNOCENT):
        return None
    for stem in STEMS:
        if folded.startswith(stem):
            return stem
        if len(stem) > 4 and stem in folded:
            return stem
    return None


def lint(text: str) -> list[str]:
    """Every word of `text` that the lint refuses, in order of first occurrence, without repetition."""
    words = set(text.translate(_APART).split()) if text.isascii() else set(_WORD.findall(text))
    unfit = {word for word in words if refused_term(word) is not None}
    found = [word for word in dict.fromkeys(_WORD.findall(text)) if word in unfit] if unfit else []
    folded = text.casefold()
    return [*found, *(stem for stem in _PHRASES if stem in folded and stem not in found)]
