"""What a person may do at a table, by a button or by a command."""
