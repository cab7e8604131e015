"""What every room may use: input errors, labels, and how numbers are written."""
