"""Benchpress: items of formal reasoning whose every key is proved twice.

The public room of the house: it generates, verifies and grades, needs no network and holds no secret.
"""

__version__ = "0.1.0"
