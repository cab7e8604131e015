"""Who controls an objective: the check, whom to contest, the end of a turn, victory points, the outlook."""
