"""The experiment grid: benchmarks x models x methods out of one YAML file, under one identity.

`config` is the file as a person writes it, `resolve` turns it into conditions with identities, `manifest` keeps them,
`running` asks what is left, `rows` are the results, `evaluate` the report. docs/grid.md tells users about it.
"""
