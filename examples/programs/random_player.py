"""A program that plays random moves, with nothing but Python's own library.

    LUDOTECA_KEY=… python random_player.py https://ludoteca.example niya
    LUDOTECA_KEY=… python random_player.py https://ludoteca.example AB12CD

The first opens a table of a game and waits for whoever comes, the second sits down at a table.
"""

import json
import os
import random
import sys
import urllib.request
import uuid

SITE, WHAT = sys.argv[1:3]


def asked(method, path, told=None, update=""):
    request = urllib.request.Request(f"{SITE}/api/1{path}", method=method)
    request.add_header("Authorization", f"Bearer {os.environ['LUDOTECA_KEY']}")
    if told is not None:
        request.data = json.dumps(told).encode()
        request.add_header("Content-Type", "application/json")
        request.add_header("Idempotency-Key", update or str(uuid.uuid4()))
    return urllib.request.urlopen(request, timeout=60)


if WHAT.islower():
    code = json.load(asked("POST", "/tables", {"game": WHAT}))["code"]
else:
    code = json.load(asked("POST", f"/tables/{WHAT}/join", {}))["code"]
print("at table", code, flush=True)
answered = 0
for line in asked("GET", "/stream"):
    table = json.loads(line).get("table")
    if not isinstance(table, dict) or table["code"] != code:
        continue
    if table["status"] not in ("open", "playing"):
        print("over:", table["outcome"], flush=True)
        break
    # A line may have been on its way that is older than the answer to our last move.
    if table["legal"] and table["version"] >= answered:
        move, update = random.choice(table["legal"]), f"{code}-{table['version']}"
        answered = json.load(asked("POST", f"/tables/{code}/moves", {"move": move}, update))[
            "version"
        ]
