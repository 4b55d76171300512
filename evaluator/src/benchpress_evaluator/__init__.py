"""The private evaluator: models, secrets, runs, scores and statistics."""
