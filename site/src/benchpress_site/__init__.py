"""The static site: an MkDocs plugin over published aggregates and public examples."""
