"""Two models fight until one is out of action or the rounds run out."""
