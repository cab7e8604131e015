"""The whole catalogue at once: what every weapon, armour, keyword and edition does to the odds."""
