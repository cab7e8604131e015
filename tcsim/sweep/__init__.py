"""Batches: a grid or a file of scenarios, answered in blocks, in parts that are never lost."""
