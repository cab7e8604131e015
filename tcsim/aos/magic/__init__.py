"""Wizards, priests and heroes: casting and unbinding, prayers, manifestations, heroic actions."""
