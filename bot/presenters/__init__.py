"""Table, viewer and language make the screen that a chat shows. Pure."""
