"""Value for ducats: which loadouts nothing beats for their price, and what the others would have to cost."""
