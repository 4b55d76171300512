"""Passphrases: where they come from, and opening what one locks. A passphrase is never an argument."""

import getpass
import os
import sys
import time

import pyrage
from benchpress.errors import UserError

PASSPHRASE = "BENCHPRESS_PASSPHRASE"  # noqa: S105 - the name of a variable
TOO_SLOW = "Excessive work parameter"
"""How the age library begins to say that a passphrase would take too long here."""


def passphrase_from_user(purpose: str, *, confirm: bool = False) -> str:
    """The passphrase in the environment, else one typed at a terminal. Raises UserError where there is neither."""
    given = os.environ.get(PASSPHRASE)
    if given:
        return given
    if not sys.stdin.isatty():
        raise UserError(f"a passphrase {purpose} is needed: set {PASSPHRASE}, or run this in a terminal to be asked")
    typed = getpass.getpass(f"Passphrase {purpose}: ")
    if not typed or (confirm and getpass.getpass("The same again: ") != typed):
        raise UserError("the passphrase is empty or was not repeated alike; run the command again")
    return typed


def unlock_with_passphrase(data: bytes, passphrase: str) -> bytes:
    """The content of an age file that a passphrase locks. Raises pyrage.DecryptError.

    The age library refuses a file that it judges too slow to open from one measurement of this machine's speed. A
    busy machine can look many times slower than it is for a moment, so such a refusal is given further chances.
    """
    for pause in (1.0, 3.0, 6.0):
        try:
            return bytes(pyrage.passphrase.decrypt(data, passphrase))
        except pyrage.DecryptError as problem:
            if TOO_SLOW not in str(problem):
                raise
        time.sleep(pause)
    return bytes(pyrage.passphrase.decrypt(data, passphrase))
