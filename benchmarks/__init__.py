"""Measurements of speed, against named baselines in the same run. ``make bench`` runs all of them."""
