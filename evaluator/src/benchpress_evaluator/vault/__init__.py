"""Sealed versions: age files that hold a version's secret, recipe and items, and everything done with them.

`age` locks and unlocks files, `identities` finds the keys, `sealed` is the file format and its opening, `ceremony`
draws, seals and reveals, `keys` adds, rotates and drills, `files` encrypts other private files under a version's data
key, `derive` derives keys for one purpose each. Formats: docs/formats.md; threats: docs/security.md.
"""
