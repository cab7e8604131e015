"""A module per figure: what is drawn, and the words that stand beside it, computed from the frame."""
