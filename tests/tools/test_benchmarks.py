"""The benchmarks speak of the house as it is."""

from importlib import import_module

import pytest

from tests.laws.weight import ROOT

BENCHMARKS = sorted(path.stem for path in (ROOT / "tests" / "benchmarks").glob("[!_]*.py"))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_finds_what_it_measures(name):
    assert import_module(f"tests.benchmarks.{name}").__doc__
