"""What runs beside everything else: background tasks, rate limits and metrics."""
