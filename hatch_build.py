"""What a wheel holds besides the sources: its commit, fonts of names, and the faster build.

    LUDOTECA_FAST=1 pip install .

compiles the computers' search too. The sources stay in the wheel, and are what runs wherever the
compiled ones do not fit. It needs a C compiler; mypyc comes by itself. An editable install is
always plain.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ADDRESS = "LUDOTECA_URL"
"""The variable that names the repository's address where a release is built."""

VARIABLE = "LUDOTECA_FAST"

FONTS = {
    "justmytype_intl_rtl": "justmytype-intl-rtl>=0.1,<0.2",
    "justmytype_intl_sea": "justmytype-intl-sea>=0.1,<0.2",
    "justmytype_intl_south_asia": "justmytype-intl-south-asia>=0.1,<0.2",
}
"""The packages whose fonts are taken with their licences: installed they would bring fontTools."""

FONT_NAMES = (
    *("notosansarabic", "notosansbengali", "notosansdevanagari", "notosanshebrew"),
    *("notosanskhmer", "notosanslao", "notosansmyanmar", "notosanstamil", "notosanstelugu"),
    "notosansthai",
)
"""The folders of the fonts in which ``render.kit.fonts`` draws names."""

COMPILED = (
    "games/core/search.py",
    "games/core/search_types.py",
    "games/cirya/board.py",
    "games/cirya/computer/evaluation.py",
    "games/cirya/computer/prover.py",
    "games/cirya/computer/search_adapter.py",
    "games/niya/computer/solver.py",
    "games/parchis/board.py",
    "games/parchis/computer/__init__.py",
    "games/parchis/computer/evaluation.py",
    "games/parchis/computer/problems.py",
    "games/parchis/moves.py",
    "games/shogi/board.py",
    "games/shogi/computer/evaluation.py",
    "games/shogi/computer/mates.py",
    "games/shogi/computer/search_adapter.py",
    "games/shogi/pieces.py",
    "games/storilljudhjorrayc/computer/cage.py",
    "games/storilljudhjorrayc/computer/evaluation.py",
    "games/storilljudhjorrayc/computer/bitboard.py",
    "games/storilljudhjorrayc/computer/hunt.py",
    "games/storilljudhjorrayc/computer/search_adapter.py",
)
"""Where the computers spend their time."""

SCRIPT = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv[1:], opt_level="3", debug_level="0", group_name="ludoteca_fast")
setup(name="fast", packages=[], py_modules=[], ext_modules=modules,
      script_args=["-q", "build_ext", "--build-lib", "built"])
"""


class FastBuild(BuildHookInterface[Any]):
    """Adds the commit to a wheel, and the compiled modules where the variable says so."""

    folder: Path | None = None

    @property
    def wanted(self) -> bool:
        """Whether the compiled modules shall be made."""
        return self.target_name == "wheel" and os.environ.get(VARIABLE, "") not in ("", "0")

    def dependencies(self) -> list[str]:
        """The packages of the fonts, and what compiles."""
        return [*FONTS.values(), *(["mypy[mypyc]"] if self.wanted else [])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the fonts; note the commit; compile, and say that the wheel is of this machine."""
        if self.target_name != "wheel":
            return
        key = "force_include_editable" if version == "editable" else "force_include"
        build_data[key].update(fonts())
        if version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="ludoteca-build-"))
        if commit := commit_of(Path(self.root)):
            written = self.folder / "commit.txt"
            written.write_text(f"{commit}\n", encoding="ascii")
            build_data["force_include"][str(written)] = "bot/commit.txt"
        if not self.wanted:
            return
        for path in compiled(Path(self.root), self.folder):
            build_data["force_include"][str(path)] = str(path.relative_to(self.folder / "built"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        del version, build_data, artifact_path
        if self.folder is not None:
            shutil.rmtree(self.folder)


class RepositoryUrls(MetadataHookInterface):
    """Says where the sources, the issues and the changes stand, where that is known."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses, and the README with links that lead somewhere on an index's page."""
        address = os.environ.get(ADDRESS)
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        if address:
            readme = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\1{address}/raw/main/", readme)
            readme = re.sub(r"(\]\()(?!https?:|#)", rf"\1{address}/blob/main/", readme)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        ways = {"Source": "", "Issues": "/issues", "Changes": "/blob/main/CHANGELOG.md"}
        metadata["urls"] = {name: f"{address}{way}" for name, way in ways.items() if address}


def fonts() -> dict[str, str]:
    """The files of the fonts and of their licences, with their places in the wheel."""
    found = {}
    for package in FONTS:
        spec = find_spec(package)
        files = Path(spec.origin).parent.glob("fonts/ofl/*/*") if spec and spec.origin else ()
        for file in sorted(files):
            if file.parent.name in FONT_NAMES and (file.suffix == ".ttf" or file.name == "OFL.txt"):
                found[str(file)] = f"ludoteca_fonts/{file.parent.name}/{file.name}"
    if len(found) != 2 * len(FONT_NAMES):
        raise RuntimeError(f"the fonts are not there: {', '.join(FONTS.values())}")
    return found


def commit_of(root: Path) -> str | None:
    """The commit that is checked out in *root*, as the program itself finds it."""
    found = spec_from_file_location("release", root / "bot" / "app" / "git_commit.py")
    if found is None or found.loader is None:
        return None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    commit: str | None = module.checked_out(root)
    return commit


def compiled(root: Path, folder: Path) -> list[Path]:
    """The modules of *root*, compiled into ``built`` of *folder*."""
    # In a folder of its own: neither our settings of mypy nor our metadata are in the way there.
    shutil.copytree(root / "games", folder / "games", ignore=shutil.ignore_patterns("*.pyc"))
    command = [sys.executable, "-c", SCRIPT, *COMPILED]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the faster build failed:\n{done.stdout}{done.stderr}")
    return [path for path in (folder / "built").rglob("*") if path.is_file()]
