"""Which commit is checked out, from the files of git; the build asks too, so this imports nothing.

The files are described in gitrepository-layout(5).
"""

from __future__ import annotations

from pathlib import Path


def checked_out(root: Path) -> str | None:
    """The commit that is checked out in the folder *root*, ``None`` where it is no checkout."""
    try:
        folder = _git_folder(root / ".git")
        head = (folder / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head
        name, shared = head.removeprefix("ref: "), folder / "commondir"
        common = folder / shared.read_text("utf-8").strip() if shared.is_file() else folder
        if (common / name).is_file():
            return (common / name).read_text("utf-8").strip()
        packed = (common / "packed-refs").read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return next((line.split()[0] for line in packed if line.endswith(f" {name}")), None)


def _git_folder(there: Path) -> Path:
    """The folder that *there* is, or names: in a worktree it is a file."""
    if not there.is_file():
        return there
    return there.parent / there.read_text("utf-8").removeprefix("gitdir: ").strip()
