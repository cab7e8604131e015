"""Many against many: firefights of one turn, and whole turns and games of two warbands."""
