"""How many processors we may use: by affinity, and by the quota of our control group."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CONTROLLER = "cpu"
"""The controller whose quota counts, as ``/proc/self/cgroup`` names it in version 1."""


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
    limits = [
        int(told)
        for folder in _folders(root, "memory")
        for name in ("memory.max", "memory.limit_in_bytes")
        if (told := _read(folder / name).strip()).isdigit() and int(told) < 1 << 60
    ]
    return min(limits, default=None)


def _quotas(root: Path) -> Iterator[tuple[float, str]]:
    """The processors that each control group above us allows, where one says so."""
    for folder in _folders(root, CONTROLLER):
        quota, period = (*_read(folder / "cpu.max").split(), "", "")[:2]
        if not quota:
            quota = _read(folder / "cpu.cfs_quota_us").strip()
            period = _read(folder / "cpu.cfs_period_us").strip()
        if quota.isdigit() and period.isdigit() and int(period):
            yield int(quota) / int(period), str(folder)


def _folders(root: Path, controller: str) -> Iterator[Path]:
    """The folders of our control group and of those above it, for *controller*."""
    mounted = root / "sys/fs/cgroup"
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and controller not in controllers.split(","):
            continue
        top = mounted / controllers if controllers else mounted
        group = PurePosixPath(path.lstrip("/"))
        # Within a container the path may be that of the host, which is not there.
        for name in (group, *group.parents):
            if ".." not in name.parts and (top / name).is_dir():
                yield top / name


def _namespace() -> int:
    """The number of the namespace of control groups: each container has its own."""
    try:
        return Path("/proc/self/ns/cgroup").stat().st_ino
    except OSError:
        return 0


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
