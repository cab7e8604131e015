"""Exchange rates: what each thing that can be more or less is worth, in points and in each other's terms."""
