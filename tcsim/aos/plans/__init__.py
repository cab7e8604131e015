"""What command points buy: the table of commands, which rule forbids one, and the best use of a budget."""
