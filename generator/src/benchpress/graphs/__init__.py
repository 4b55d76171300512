"""Graph theory on DAGs and acyclic directed mixed graphs. Knows no items."""
