"""How units move and return: charges, runs, Rally."""
