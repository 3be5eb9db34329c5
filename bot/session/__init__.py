"""A table as a pure value: state, events, fold, play, clock, offers. No I/O and no asyncio."""
