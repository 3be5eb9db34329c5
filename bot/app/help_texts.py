"""What ``ludoteca help`` says of each command: what it does, and what its exit status means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_REFUSED = "a setting, a file or the database is refused; one sentence says why"

_PASSES = {75: "the bot has ended, or is busy; look whether it was done, and say it again"}


@dataclass(frozen=True)
class CommandHelp:
    """A command *about* which the list says one line; *more* is what its own help adds.

    *statuses* are the exit statuses that mean something of their own, besides 0 for done.
    """

    about: str
    more: str = ""
    statuses: Mapping[int, str] | None = None

    @property
    def epilog(self) -> str:
        """The exit statuses, one a line."""
        told = {0: "done", 2: "the command line is not understood", **(self.statuses or {})}
        return "exit status:\n" + "\n".join(
            f"  {number:<3} {told[number]}" for number in sorted(told)
        )


_RULE = {1: "what was asked cannot be done; one sentence says why"}

BOT = CommandHelp(
    "Without a command: start the browser chat, and every chat that has a token.",
    "Settings stand in the environment and in the file .env of the folder where it is started;\n"
    ".env.example explains each. It runs until SIGTERM or Ctrl-C.",
    {
        1: "the answer of a command is no; `ludoteca help COMMAND` says what that means",
        2: "a setting, a file, the database or the command line is refused, and would be again",
        3: "of `ludoteca verify` only: not shown",
        75: "something outside fails again and again; start again, as a supervisor does",
    },
)
"""The help of the program itself."""

HELP: Mapping[str, CommandHelp] = {
    "help": CommandHelp("what a command does, or all of them"),
    "doctor": CommandHelp(
        "is everything well",
        "Looks at the database, its tables, the newest copy, the computers, the tokens and the\n"
        "settings, also beside a running bot, and changes nothing. Each finding is a line: fine,\n"
        "warning or error, and a sentence.",
        {1: "there is at least one error", 2: _REFUSED},
    ),
    "backup": CommandHelp(
        "a consistent copy, also beside a running bot",
        "Writes a copy of the database of SQLite that DATABASE_URL names into FILE, which must\n"
        "not exist yet. It holds what people wrote and who they are. For PostgreSQL there is\n"
        "pg_dump.",
        {2: "nothing was written; one sentence says why"},
    ),
    "restore": CommandHelp(
        "put a copy in the place of the database",
        "FILE is a copy that `ludoteca backup` or BACKUP_DIR has made. It is examined first, and\n"
        "copied into the place of the database; the old one is kept beside it under another name,\n"
        "which is printed. The bot must not run. For PostgreSQL there is pg_restore.",
        {2: "nothing was changed; one sentence says why"},
    ),
    "move-database": CommandHelp(
        "all rows into an empty database",
        "Copies every row from one database into another one, which must be empty, and compares\n"
        "both, between SQLite and PostgreSQL in either direction. The bot must not run. The old\n"
        "database stays as it was; write the new address into DATABASE_URL afterwards.",
        {2: "nothing was moved; one sentence says why"},
    ),
    "upgrade": CommandHelp(
        "bring the database up to this release, and end",
        "The start does the same. The database is copied before, one of PostgreSQL by pg_dump;\n"
        "where that cannot be done, make a copy yourself and say so by --no-copy.",
        {2: "nothing was changed; one sentence says why"},
    ),
    "forget": CommandHelp(
        "erase who somebody is, as /forgetme does",
        "For somebody who asks you to be erased and cannot do it themselves. Their games stay,\n"
        "without a name. The bot that runs does it; where none does, the command opens the\n"
        "database itself. Copies made before keep what was in them. With --imported it erases a\n"
        "name in the games and ladders that places have imported.",
        {
            2: "nobody is known by that id, or the database is refused; nothing was changed",
            **_PASSES,
        },
    ),
    "status": CommandHelp(
        "what goes on now: chats, tables, who plays, what waits, what was set aside",
        "The bot that runs answers by the socket beside its database; nothing is changed.",
        {1: "no bot runs on this database, on this machine", **_PASSES},
    ),
    "announce": CommandHelp(
        "a line on every living board, such as that of an upgrade",
        "TEXT is shown above the board at every table that waits or is played, in all chats; no\n"
        "one is called. It goes after --hours, or by `ludoteca announce` without a TEXT.",
        {2: "the text cannot be shown, or the database is refused; nothing was changed", **_PASSES},
    ),
    "export": CommandHelp(
        "what a place takes along, as /export hands it out, however large",
        "Writes the finished games, ladders and settings of the place with this id, on Discord\n"
        "those of its whole server, into FILE, which must not exist yet. The bot that runs does\n"
        "it, or the command itself.",
        {
            2: "no game is known there, or FILE or the database is refused",
            **_PASSES,
        },
    ),
    "import": CommandHelp(
        "take in what another place has taken along",
        "FILE is what /export has written. Its games and ladders are kept as text for the place,\n"
        "which sees them by /import; they make nobody known and count nowhere. Imported\n"
        "once more, nothing is there twice. The bot that runs does it, or the command itself.",
        {2: "the file is no export or breaks a limit, or the database is refused", **_PASSES},
    ),
    "ban": CommandHelp(
        "keep somebody out of the whole house",
        "Their pages are closed, and whatever they press or say is answered by one sentence, but\n"
        "for /privacy, /mydata and /forgetme. At their tables they are missed, as who has left:\n"
        "others may take the win, close the table or let the computer play on. All ids that they\n"
        "have linked are kept out, also after they were forgotten. No ladder, podium or page of\n"
        "people shows them until they are let in again. Their rated games stay; who manages a\n"
        "place takes single ones out.",
        {2: "the database is refused; nothing was changed", **_PASSES},
    ),
    "unban": CommandHelp(
        "let somebody in again who was banned",
        "At tables that are still played, and on ladders, they are back.",
        {2: "nobody is banned by that id, or the database is refused", **_PASSES},
    ),
    "invite": CommandHelp(
        "make an address that lets people into the page",
        "Whoever opens it gets a page of their own, as by an invitation to a table, until so many\n"
        "have come or the days are over. It needs WEB_PUBLIC_URL.",
        {2: "nobody else reaches the page, or the database is refused", **_PASSES},
    ),
    "games": CommandHelp(
        "the shelf, with the options of each game",
        "Of a game from another package it says which one; packages that are left out are named\n"
        "with the reason.",
    ),
    "texts": CommandHelp(
        "the languages, and what each lacks",
        "Of the language CODE it says how much is there, and of each text that is wrong why it is\n"
        "left out. docs/languages.md says how a language from outside is made.",
        {1: "there is no language CODE, or something in it is wrong"},
    ),
    "check-game": CommandHelp(
        "the laws that every game keeps, tried on one",
        "Plays random games and says of each law whether it holds; where it does not, in which\n"
        "game. For those who write a game: docs/contract.md.",
        {1: "a law is broken, or there is no game called KEY"},
    ),
    "person": CommandHelp(
        "what is kept of somebody, as /mydata sends it",
        "Prints it as an object of JSON, by table and column. It may run beside the bot, and\n"
        "changes nothing.",
        {2: "nobody is known by that id, or the database is refused"},
    ),
    "ratings": CommandHelp(
        "the ratings of people, checked or reckoned anew",
        "Tells who has which rating, in every game or in GAME. --check folds the journal anew and\n"
        "names each row that is not what it makes; it may run beside the bot. --rebuild writes\n"
        "the rows anew; for that the bot must not run.",
        {
            1: "--check has found a difference",
            2: "the database is refused, or in use by a bot; nothing was changed",
        },
    ),
    "puzzles": CommandHelp(
        "puzzles, found in games of computers, added or proved anew",
        "mine lets computers play GAME and prints each proved problem that comes up, one a line,\n"
        "as puzzles.json of a game holds them. check proves those that come with the games anew,\n"
        "and those of the house: each must come out with the same answers; what does not hold is\n"
        "put no more. add proves the puzzles of FILE in the same way and keeps them if all hold:\n"
        "JSON as mine prints it, a position a line (SFEN), or a record that begins so (KIF).\n"
        "mine needs no database, and check does without one.",
        {1: "check has found one that does not hold"},
    ),
    "verify": CommandHelp(
        "check the draws of a record",
        "FILE is the record of a finished game, as /record gives it. Recomputes the seal, each\n"
        "draw, every move and the result, and names each line that is wrong.",
        {
            0: "honest: nothing contradicts the seal",
            1: "the record is not honest",
            2: "FILE is no record that can be read, or its game is not over",
            3: "not shown: the record lacks lines, as those of releases 0.1 and 0.2.0 do",
        },
    ),
    "perft": CommandHelp("legal-move counts by depth", "", _RULE),
    "moves": CommandHelp("the legal moves, one a line", "", _RULE),
    "replay": CommandHelp(
        "read a record: result and final position",
        "FILE is a record of /record, or for shogi one in KIF, KI2, CSA or USI, for Cirya in PTN.",
        {1: "FILE cannot be read, or a move in it is not legal; the first such is named"},
    ),
    "picture": CommandHelp("the position as a PNG file", "", _RULE),
    "best": CommandHelp("the computer's move, then its opinion", "", _RULE),
    "new-game": CommandHelp(
        "the skeleton of a game, in a checkout",
        "Writes the files of a small game called KEY that passes every test, to be filled with\n"
        "rules of your own. Run it in the folder of the sources; or with --package anywhere: that\n"
        "writes a package of its own into a new folder, to be installed beside the bot.",
        {2: "there is a game called KEY already, or this is no checkout; nothing was written"},
    ),
}
