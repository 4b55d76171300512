"""Computable causal models: linear-Gaussian, discrete, Boolean."""
