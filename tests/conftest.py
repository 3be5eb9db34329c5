"""Fixtures and profiles for the whole test run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TRUTH = Path(__file__).resolve().parents[2] / "shared" / "truth"

settings.register_profile(
    "quick", max_examples=3, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "short", max_examples=20, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "long", max_examples=300, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile(os.environ.get("LUDOTECA_HYPOTHESIS", "short"))


@pytest.fixture
def truth() -> Path:
    """The folder of truth tables; tests that need it skip where it is absent."""
    if not TRUTH.is_dir():
        pytest.skip("the tables in ../shared/truth are not here; tests/data holds a sample")
    return TRUTH
