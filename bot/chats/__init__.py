"""The port ``Chat`` and what is behind it: Discord, Telegram and the browser."""
