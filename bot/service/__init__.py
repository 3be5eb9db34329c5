"""The services behind a table: changes, people, places, deadlines, computers, limits, cluster."""
