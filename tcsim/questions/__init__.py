"""Questions as data: what is asked, what it answers, how exactly, how by dice, by which rule.

A :class:`~tcsim.questions.question.Question` says all of that once; the command line, the Python API, batches,
reference pages and case tests are loops over the questions of a :class:`~tcsim.questions.ruleset.Ruleset`. Nothing here
knows a game: which questions there are, and the rules behind them, is for the rooms above.
"""
