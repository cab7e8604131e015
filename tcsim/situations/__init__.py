"""Situations around a fight: dice decide who is attacked, and how; the ordinary engines answer each case."""
