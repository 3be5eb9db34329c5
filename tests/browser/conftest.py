"""Where there is no browser, each module here is skipped before others look for its names."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import pytest


class InABrowser(pytest.Module):
    """Tests in a browser; what starts one skips where it is imported and finds none."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        import_module("tests.drives.browsing")
        return super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    made: pytest.Module = InABrowser.from_parent(parent, path=module_path)
    return made
