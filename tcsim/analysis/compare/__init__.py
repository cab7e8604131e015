"""Comparison: loadouts against targets in situations, and which differences matter."""
