"""The command of the evenings: one told, many played, a broken one made shorter."""

from __future__ import annotations

import argparse
import ast
import gc
import os
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.evening import hobbies, house, page_place, small_server, wire
from tests.evening.evening import Evening, draw
from tests.evening.family import play_families
from tests.evening.story import Script

HERE = Path(__file__).parent

LANES = {"check": 4, "night": 1200}
"""How many seeds are played beside those of ``seeds.toml``."""

NIGHTLY_MOMENTS = 30
"""How often each promise must at least have been tried in a night."""


def known() -> dict[str, str]:
    """The promises that are not kept yet, and what owes each."""
    told = tomllib.loads((HERE / "known.toml").read_text(encoding="utf-8"))
    return {one["promise"]: one["owed"] for one in told.get("known", ())}


def failed_seeds() -> dict[str, str]:
    """The seeds that have broken a promise once, and what it was."""
    told = tomllib.loads((HERE / "seeds.toml").read_text(encoding="utf-8"))
    return {one["seed"]: one["what"] for one in told.get("seed", ())}


@dataclass
class Report:
    """What many evenings came to."""

    presses: int = 0
    evenings: int = 0
    cpu: float = 0.0
    moments: Counter[str] = field(default_factory=Counter)
    breaches: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    """A line for each breach that fails the run."""

    def take(self, evening: Evening) -> None:
        """Add one evening, and say what it broke."""
        owed, promises = known(), evening.promises
        self.evenings += 1
        self.presses += int(evening.figures.get("presses", 0))
        self.cpu += evening.figures["cpu seconds"]
        self.moments += promises.moments
        self.breaches += Counter(name for name, _ in promises.breaches)
        self.moments += Counter({f"befell: {k}": n for k, n in evening.net.befallen.items()})
        fatal = [(name, why) for name, why in promises.breaches if name not in owed]
        self.broken += [f"{evening.plan.seed}: {name}: {why}" for name, why in fatal]

    def print(self) -> None:
        each = 1000 * self.cpu / max(1, self.presses)
        print(
            f"{self.evenings} evenings, {self.presses} presses, {self.cpu:.1f} CPU seconds, "
            f"{each:.1f} ms a press"
        )
        for name, count in sorted(self.moments.items()):
            owed = known().get(name)
            missed = self.breaches[name]
            said = f", {missed} not kept" if missed else ""
            said += f" (owed by “{owed}”)" if missed and owed else ""
            print(f"  {count:7} × {name}{said}")
        for name in sorted(set(self.breaches) - set(self.moments)):
            print(f"        0 × {name}, {self.breaches[name]} not kept")
        for line in self.broken[:20]:
            print("BROKEN", line[:400])


def play(
    seed: str, folder: Path, asked: argparse.Namespace, script: Script | None = None
) -> Evening:
    """Play the evening of *seed*, or of *script*."""
    plan = draw(seed, asked.minutes)
    changed = {key: ast.literal_eval(value) for key, value in asked.plan}
    evening = Evening(replace(plan, **changed), folder, asked.tell, script)
    evening.play()
    return evening


def shrink(evening: Evening, folder: Path, asked: argparse.Namespace) -> Script:
    """A shorter script that breaks the same promise, found by leaving things out."""
    script, wanted = evening.story.script, evening.promises.breaches[0][0]
    tries, size = 0, max(1, len(script.acts) // 2)

    def breaks(shorter: Script) -> bool:
        nonlocal tries
        tries += 1
        found = play(script.seed, folder / f"s{tries}", asked, shorter)
        return any(name == wanted for name, _ in found.promises.breaches)

    while size:
        at = 0
        while at < len(script.acts) and tries < asked.tries:
            acts = script.acts[:at] + script.acts[at + size :]
            shorter = Script(script.seed, acts, script.befallen, script.deaths)
            if breaks(shorter):
                script = shorter
            else:
                at += size
        size //= 2
    for key in list(script.befallen):
        if tries >= asked.tries:
            break
        befallen = {one: what for one, what in script.befallen.items() if one != key}
        shorter = Script(script.seed, script.acts, befallen, script.deaths)
        if breaks(shorter):
            script = shorter
    print(f"{wanted}: {script.size} acts and faults left, {tries} tries")
    return script


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.evening", description=__doc__)
    parser.add_argument("seed", help="a seed, or check or night")
    parser.add_argument("--to", type=int, help="play all seeds up to this one")
    parser.add_argument("--minutes", type=float, default=6.0, help="how long people stay")
    parser.add_argument("--tell", action="store_true", help="print the story as it goes")
    parser.add_argument("--shrink", action="store_true", help="find a shorter story that breaks")
    parser.add_argument("--tries", type=int, default=300, help="how often it is played for that")
    parser.add_argument("--write", type=Path, help="keep the script in this file")
    parser.add_argument("--replay", type=Path, help="play this script")
    parser.add_argument("--paint", action="store_true", help="paint real pictures")
    parser.add_argument("--done", action="store_true", help="print what was done how often")
    parser.add_argument("--seconds", type=float, default=0.0, help="end after so much CPU time")
    parser.add_argument("--first", action="store_true", help="end at the first broken promise")
    parser.add_argument("--digests", action="store_true", help="print a digest for each evening")
    parser.add_argument(
        "--plan",
        nargs=2,
        action="append",
        default=[],
        metavar=("FIELD", "VALUE"),
        help="draw this otherwise: club True, rates \"{'lost': 0.2}\"",
    )
    parser.add_argument("--part", default="0/1", help="play only this part of the seeds, as 1/4")
    return parser.parse_args()


def seeds(asked: argparse.Namespace) -> list[str]:
    """The seeds that are asked for."""
    part, parts = map(int, asked.part.split("/"))
    if asked.seed in LANES:
        found = [*failed_seeds(), *(str(seed) for seed in range(1, LANES[asked.seed] + 1))]
    elif asked.to:
        found = [str(seed) for seed in range(int(asked.seed), asked.to + 1)]
    else:
        found = [asked.seed]
    return list(dict.fromkeys(found))[part::parts]


def main() -> None:
    """Play what is asked for; the status is 1 where a promise was broken that is not owed."""
    family = sys.argv[1:2] == ["family"]
    asked = argparse.Namespace(paint=False) if family else parsed()
    wire.install()
    house.install(paints=asked.paint)
    small_server.install()
    page_place.install(paints=asked.paint)
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    report = Report()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as there:
        folder = Path(there)
        if family:
            code = play_families(sys.argv[2:], folder)
            sys.stdout.flush()
            os._exit(code)
        script = Script.read(asked.replay) if asked.replay else None
        for seed in [script.seed] if script else seeds(asked):
            evening = play(seed, folder / f"e{seed}", asked, script)
            report.take(evening)
            if (asked.first and report.broken) or 0 < asked.seconds < report.cpu:
                break
            if asked.digests:
                print(seed, evening.story.digest(), evening.promises.breaches[:1], flush=True)
            told = evening.story.script
            if asked.shrink and evening.promises.breaches:
                told = shrink(evening, folder, asked)
            if asked.write:
                told.write(asked.write)
    report.print()
    if asked.done:
        print(*(f"{count} {what}" for what, count in hobbies.DONE.most_common()), sep=", ")
    if asked.seed == "night":
        few = {name for name, count in report.moments.items() if count < NIGHTLY_MOMENTS}
        report.broken += [f"tried too seldom: {name}" for name in sorted(few)]
    sys.stdout.flush()
    os._exit(bool(report.broken))  # the dead are not woken by their collector
