"""Graph theory on DAGs and acyclic directed mixed graphs. Knows no items.

`dag` is the graph itself, on bitmasks; every other file is one subject, named for it: separation, adjustment,
frontdoor, instruments, identification (with estimand, hedges, docalculus), transport, selection, natural, equivalence,
implications; `fresh` names what is added to a graph. `moral`, `definitions` and `hedges` answer the same questions by
slower ways that share no code with the fast ones.
"""
