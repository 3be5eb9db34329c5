"""One warm process for all mutants: tests are collected once, each mutant is tried in a fork.

There the code of the one function that differs is exchanged, and only those tests run which come
into it, the shortest first. Which these are is found out once and kept beside the results. A mutant
that this cannot show goes the long way of ``trial``: one outside functions, in a function that runs
while modules are imported, or where no test comes by.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import hashlib
import inspect
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import NoReturn

import pytest

from tests.mutants.sample import ROOT, Mutant
from tests.mutants.trial import LEAST, Trial, Verdict, fast_tests

MEMORY = 4 << 30
"""Bytes of address space for a mutant."""

FOREVER = 3600
"""Seconds until a mutant is ended that waits for something without taking time of the processor."""

HITS = "_functions_that_ran"
"""A name in ``builtins``, so that any function may note itself."""

Trials = Callable[[Callable[[Mutant], Verdict]], None]


def functions(code: CodeType) -> Iterator[CodeType]:
    """The code of the functions of a module and its classes, in order; none within another."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_flags & inspect.CO_OPTIMIZED:
                yield one
            else:
                yield from functions(one)


def bare(code: CodeType, *, whole: bool = True) -> CodeType:
    """*code* without its lines, and if not *whole*, without the functions in it."""

    def inner(one: object) -> object:
        match one:
            case CodeType() if whole or not one.co_flags & inspect.CO_OPTIMIZED:
                return bare(one, whole=whole)
            case CodeType():
                return None
            case _:
                return one

    consts = tuple(map(inner, code.co_consts))
    return code.replace(co_firstlineno=1, co_linetable=b"", co_filename="", co_consts=consts)


def exchange(before: str, after: str) -> tuple[CodeType, CodeType] | None:
    """The one function that differs in two texts of a module, and its other code; or None."""
    old, new = (compile(text, "", "exec") for text in (before, after))
    if bare(old, whole=False) != bare(new, whole=False):
        return None
    pairs = list(zip(functions(old), functions(new), strict=True))
    differ = [(one, other) for one, other in pairs if bare(one) != bare(other)]
    return differ[0] if len(differ) == 1 else None


def noting(text: str, file: str) -> dict[int, CodeType]:
    """The code of each function of a module by its first line, noting ``file:line`` as it runs."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            note = ast.parse(f"{HITS}.add('{file}:{first}')").body[0]
            for part in ast.walk(note):
                ast.copy_location(part, node.body[0])
            node.body.insert(0, note)
    return {one.co_firstlineno: one for one in functions(compile(tree, file, "exec"))}


@dataclass(frozen=True)
class Reach:
    """What a test comes into, as ``file:line`` of functions, and its seconds of the processor."""

    into: frozenset[str]
    seconds: float

    def order(self, file: str) -> tuple[bool, float]:
        """By this tests are ordered that may notice a change in *file*."""
        return not any(place.startswith(f"{file}:") for place in self.into), self.seconds


@dataclass
class Warm:
    """A plugin of pytest that does *trials* instead of the tests; *kept* is the file of reaches."""

    trials: Trials
    kept: Path
    folder: Path
    _items: list[pytest.Item] = field(default_factory=list)
    _imported: set[str] = field(default_factory=set)
    _texts: dict[str, str] = field(default_factory=dict)
    _live: dict[str, list[FunctionType]] = field(default_factory=dict)
    _cold: Trial | None = None

    def __post_init__(self) -> None:
        self._texts = {_name(file): file.read_text() for file in ROOT.glob("games/*/**/*.py")}

    def called(self, frame: FrameType, _event: str, _arg: object) -> None:
        """Note what runs while modules are imported and tests collected."""
        code = frame.f_code
        if code.co_filename.startswith(str(ROOT / "games")):
            self._imported.add(_place(code))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Know the tests, and every function of the games."""
        sys.settrace(None)
        self._items = session.items
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(ROOT)):
                self._live.setdefault(_place(one.__code__), []).append(one)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Try mutants."""
        gc.freeze()
        self.trials(self.verdict)
        return True

    def verdict(self, mutant: Mutant) -> Verdict:
        """Whether the tests notice *mutant*."""
        reaches = self._reaches(mutant.game)
        told = self._told_warm(mutant, reaches)
        if told is not None:
            return told
        # Those first that come into its file, and of them the shortest.
        order = sorted(reaches, key=lambda name: reaches[name].order(mutant.file))
        self._cold = self._cold or Trial(self.folder)
        return self._cold.verdict(mutant, order, sum(one.seconds for one in reaches.values()))

    def _told_warm(self, mutant: Mutant, reaches: dict[str, Reach]) -> Verdict | None:
        """The verdict of this process, ``None`` where it cannot show the mutant."""
        differs = exchange(self._texts[mutant.file], mutant.text)
        if differs is None:
            return None
        place = f"{mutant.file}:{differs[0].co_firstlineno}"
        live = self._live.get(place, [])
        reached = {name: one.seconds for name, one in reaches.items() if place in one.into}
        fits = [len(one.__code__.co_freevars) == len(differs[1].co_freevars) for one in live]
        if place in self._imported or not live or not all(fits) or not reached:
            return None
        limit, began = max(LEAST, 4 * sum(reached.values())), time.monotonic()
        told = self._forked(sorted(reached, key=reached.__getitem__), int(limit), live, differs[1])
        return told and Verdict(*told, round(time.monotonic() - began, 1))

    def _forked(
        self, names: list[str], limit: int, live: list[FunctionType], code: CodeType
    ) -> tuple[str, str] | None:
        reader, writer = os.pipe()
        if not (child := os.fork()):
            with _for_good():
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                signal.alarm(FOREVER)
                for one in live:
                    one.__code__ = code
                for name, good, _ in self._run(names):
                    if not good:
                        os.write(writer, name.encode())
                        break
        os.close(writer)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reader) as pipe:
            by = pipe.read()
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM):
            return "out of time", ""
        if status and not by:
            return None
        return ("killed", by) if by else ("survived", "")

    def _run(self, names: list[str]) -> Iterator[tuple[str, bool, float]]:
        """Run the tests called *names* in turn: whether each passes, and its seconds."""
        plugins = self._items[0].config.pluginmanager
        plugins.unregister(plugins.get_plugin("terminalreporter"))  # nobody reads of it
        known = {item.nodeid: item for item in self._items}
        wanted = [known[name] for name in names]
        for item, after in zip(wanted, [*wanted[1:], None], strict=True):
            failed, began = item.session.testsfailed, time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            yield item.nodeid, item.session.testsfailed == failed, time.process_time() - began

    # ---------------------------------------------------------------- which test comes where

    def _reaches(self, game: str) -> dict[str, Reach]:
        """What each fast test of *game* comes into; raises ``LookupError`` where one fails."""
        files = {str(ROOT / one) for one in fast_tests(game) if one.startswith("tests/")}
        laws = str(ROOT / "tests/games/test_laws.py")

        def mine(item: pytest.Item) -> bool:
            path = str(item.path)
            if path == laws and game != "core" and "test_laws" in item.name:
                return game in item.name
            return path in files or any(path.startswith(f"{one}/") for one in files)

        names = [item.nodeid for item in self._items if mine(item)]
        state = self._state(game, files)
        known = self._known(state)
        if missing := [name for name in names if name not in known]:
            self._look(missing, state)
            known = self._known(state)
        if lost := [name for name in names if name not in known]:
            raise LookupError(f"without a mutant {lost[0]} fails")
        return {name: known[name] for name in names}

    def _known(self, state: str) -> dict[str, Reach]:
        found: dict[str, Reach] = {}
        for line in self.kept.read_text().splitlines() if self.kept.exists() else ():
            with suppress(ValueError, KeyError, TypeError):  # one that was cut off
                told = json.loads(line)
                if told["state"] == state:
                    found[told["test"]] = Reach(frozenset(told["into"]), told["seconds"])
        return found

    def _look(self, names: list[str], state: str) -> None:
        """Run *names* in a fork, each noting what it comes into."""
        if not (child := os.fork()):
            with _for_good(), self.kept.open("a", buffering=1) as lines:
                hits: set[str] = set()
                setattr(builtins, HITS, hits)
                for name, text in self._texts.items():
                    for line, code in noting(text, name).items():
                        for one in self._live.get(f"{name}:{line}", []):
                            if len(one.__code__.co_freevars) == len(code.co_freevars):
                                one.__code__ = code
                gc.unfreeze()  # for what is frozen is not among the objects
                caches = [one for one in gc.get_objects() if _is_cache(one)]
                gc.freeze()
                for test, good, seconds in self._run(names):
                    if good:
                        told = {"state": state, "test": test, "into": sorted(hits)}
                        lines.write(f"\n{json.dumps({**told, 'seconds': round(seconds, 3)})}\n")
                    # What one test has asked for shall be asked anew by the next.
                    for cache in caches:
                        cache.cache_clear()
                    hits.clear()
        os.waitpid(child, 0)

    def _state(self, game: str, files: set[str]) -> str:
        texts = [text for name, text in sorted(self._texts.items()) if f"games/{game}/" in name]
        texts += [Path(file).read_text() for file in sorted(files) if Path(file).is_file()]
        return hashlib.sha256("\0".join([game, *texts]).encode()).hexdigest()[:16]


def _is_cache(one: object) -> bool:
    called = getattr(one, "__wrapped__", None)
    return isinstance(one, functools._lru_cache_wrapper) and called.__module__.startswith("games.")


def _place(code: CodeType) -> str:
    return f"{_name(Path(code.co_filename))}:{code.co_firstlineno}"


def _name(file: Path) -> str:
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)


@contextmanager
def _for_good() -> Iterator[None]:
    """The life of a fork, which never comes back."""
    try:
        yield
    except BaseException:  # also what a test raises to end everything
        _gone(1)
    _gone(0)


def _gone(status: int) -> NoReturn:
    os._exit(status)


def warm(games: set[str], trials: Trials, kept: Path, folder: Path) -> None:
    """Do *trials* in a process that has the fast tests of *games*; raises ``LookupError``."""
    os.environ["LUDOTECA_HYPOTHESIS"] = "quick"
    found = [one for game in sorted(games) for one in fast_tests(game)]
    files = sorted({one for one in found if one.startswith("tests/")})
    plugin = Warm(trials, kept, folder)
    sys.settrace(plugin.called)
    if pytest.main(["-q", "--tb=short", "-m", "not slow", *files], [plugin]) > 1:
        raise LookupError("the tests cannot be collected")
