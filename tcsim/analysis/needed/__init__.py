"""Questions the other way round: how much of something a chance needs, and where two ways are even."""
