"""Registered item generators, one folder a domain."""
