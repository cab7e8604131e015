"""The dice around a fight: questions about one model or a few, beside the attack itself."""
