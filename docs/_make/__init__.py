"""Puts the pages of the documentation site together: those that are written, and those that are made from the code.

``python -m _make FOLDER`` (with ``docs`` on the path) writes them, for Sphinx to build; `make docs` does both.
"""
