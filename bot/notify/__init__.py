"""Notifications: why and when people are told of a change, stored and sent."""
