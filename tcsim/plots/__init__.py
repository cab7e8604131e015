"""Figures: functions of a tidy frame that return Axes, and the page they are drawn on.

A figure is drawn twice from the same numbers: as a page of its own (title, question, panels, caption) for PNG and SVG
files, and bare for a web page, where title and caption are real text. Its words stand beside it, in a function that
computes every claim from the frame.
"""
