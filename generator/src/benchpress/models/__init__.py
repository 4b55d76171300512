"""Computable causal models: linear-Gaussian, discrete, Boolean.

`linear` is exact, `simulation` its independent second route. `discrete` enumerates networks, `table` and `formulas`
take the closed-form way on observed probabilities, `structural` answers counterfactuals. `response_types` (on
`simplex`) and `causation` give bounds by programme and by formula; `counterexample` proves an effect unidentifiable by
two models.
"""
