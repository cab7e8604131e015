"""From text to Problem: read, resolve, and the plain numbers that every engine sees."""
