"""Notifications: who must hear of a change, when, and the short messages that tell them."""
