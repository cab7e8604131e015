"""Every numba function of tcsim, and nothing else: arrays and integers in, counts out."""
