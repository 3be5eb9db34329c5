"""Puts a USI engine at a table of shogi.

    LUDOTECA_KEY=… python usi_player.py https://ludoteca.example AB12CD ./engine 1000

The engine thinks so many milliseconds about each move. Without the code of a table, ``-``, it opens
one and waits for whoever comes.
"""

import json
import os
import subprocess
import sys
import urllib.request

SITE, CODE, ENGINE, MILLISECONDS = sys.argv[1:5]


def asked(method, path, told=None, update=""):
    request = urllib.request.Request(f"{SITE}/api/1{path}", method=method)
    request.add_header("Authorization", f"Bearer {os.environ['LUDOTECA_KEY']}")
    if told is not None:
        request.data = json.dumps(told).encode()
        request.add_header("Content-Type", "application/json")
        request.add_header("Idempotency-Key", update)
    return urllib.request.urlopen(request, timeout=60)


def said(command, until):
    """Tell the engine *command*; the rest of its line that begins with *until*."""
    engine.stdin.write(command + "\n")
    engine.stdin.flush()
    for line in engine.stdout:
        word, _, rest = line.strip().partition(" ")
        if word == until:
            return rest
    raise SystemExit("the engine has ended")


engine = subprocess.Popen([ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
said("usi", "usiok")
said("isready", "readyok")
if CODE == "-":
    code = json.load(asked("POST", "/tables", {"game": "shogi"}, f"open-{os.getpid()}"))["code"]
else:
    code = json.load(asked("POST", f"/tables/{CODE}/join", {}, f"join-{CODE}"))["code"]
print("at table", code, flush=True)
for line in asked("GET", "/stream"):
    table = json.loads(line).get("table")
    if not isinstance(table, dict) or table["code"] != code:
        continue
    if table["status"] not in ("open", "playing"):
        print("over:", table["outcome"], flush=True)
        break
    if table["legal"]:
        go = f"position sfen {table['position']}\ngo movetime {MILLISECONDS}"
        move, update = said(go, "bestmove").split()[0], f"{code}-{table['version']}"
        if move == "resign":
            asked("POST", f"/tables/{code}/resign", {}, update)
        else:
            asked("POST", f"/tables/{code}/moves", {"move": move}, update)
engine.terminate()
