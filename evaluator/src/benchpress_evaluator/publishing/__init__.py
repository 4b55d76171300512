"""From results to the publication: disclosure control, the pages, and the one writer of what leaves the evaluator."""
