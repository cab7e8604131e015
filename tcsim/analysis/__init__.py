"""Questions asked over a whole grid at once, as tidy frames: one row per cell."""
