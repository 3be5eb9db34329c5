"""How many processors we may use: by affinity, and by the quota of our control group."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class AllowedProcessors:
    """A number of whole processors, and who shares it.

    Processes with the same *pool* use the same processors: those of one *machine*, or those of one
    control group where that has a quota of its own.
    """

    count: int
    machine: str
    pool: str


def allowed_processors(root: Path = Path("/")) -> AllowedProcessors:
    """What this process may use; the files of the system are looked for under *root*."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # pragma: no cover - not on macOS and Windows
        count = os.cpu_count() or 1
    machine = _read(root / "proc/sys/kernel/random/boot_id").strip()
    quota, where = min(_quotas(root), default=(float("inf"), ""))
    if quota >= count:
        return AllowedProcessors(count, machine, machine)
    return AllowedProcessors(max(1, int(quota)), machine, f"{machine} {_namespace()} {where}")


def memory_limit(root: Path = Path("/")) -> int | None:
    """The bytes that our control group may use, None where it has no limit."""
    told = [_read(folder / "memory.max").strip() for folder in _folders(root)]
    return min((int(one) for one in told if one.isdigit()), default=None)


def _quotas(root: Path) -> Iterator[tuple[float, str]]:
    """The processors that each control group above us allows, where one says so."""
    for folder in _folders(root):
        quota, period = (*_read(folder / "cpu.max").split(), "", "")[:2]
        if quota.isdigit() and period.isdigit() and int(period):
            yield int(quota) / int(period), str(folder)


def _folders(root: Path) -> Iterator[Path]:
    """The folders of our control group and of those above it."""
    top = root / "sys/fs/cgroup"
    for line in _read(root / "proc/self/cgroup").splitlines():
        group = PurePosixPath(line.removeprefix("0::").lstrip("/"))
        # Within a container the path may be that of the host, which is not there.
        for name in (group, *group.parents):
            if line.startswith("0::") and ".." not in name.parts and (top / name).is_dir():
                yield top / name


def _namespace() -> int:
    """The number of the namespace of control groups: each container has its own."""
    with suppress(OSError):
        return Path("/proc/self/ns/cgroup").stat().st_ino
    return 0


def _read(file: Path) -> str:
    with suppress(OSError):
        return file.read_text()
    return ""
