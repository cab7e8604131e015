"""Exact and Monte Carlo answers to Problems, in one form of Result. Engines know only the Problem."""
