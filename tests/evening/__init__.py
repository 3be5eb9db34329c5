"""Whole evenings of the house from one seed: real adapters, virtual time, faults, people, kills.

``python -m tests.evening SEED`` tells one. The loop of ``tests.evening.loop`` must be installed
before anything of the project is imported, so evenings are played in processes of their own.
"""
