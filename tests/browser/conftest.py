"""Where there is no browser, each module here is skipped before others look for its names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.drives.browsing import Program


class InABrowser(pytest.Module):
    """Tests in a browser; what starts one skips where it is imported and finds none."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        import_module("tests.drives.browsing")
        return super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    made: pytest.Module = InABrowser.from_parent(parent, path=module_path)
    return made


@pytest.fixture(scope="session")
def program() -> Iterator[Program]:
    """An open house with a talk, for all tests that leave it as it runs.

    Whoever stops it, or reads its file, imports ``program`` of ``browsing``: a house of their own.
    """
    from tests.drives.browsing import served

    with served(WEB_OPEN_HOUSE="yes", WEB_HOUSE_TALK="yes") as running:
        running.invite()
        yield running
        assert "Traceback" not in running.log(), running.log()
