"""The best loadouts that a unit may take for a budget, proven to miss none."""
