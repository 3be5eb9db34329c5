"""Scripts that become one: each keeps its names, runs once, and after what it needs."""

import shutil
import subprocess

import pytest

from bot.chats.web.assets import NotBundled, bundle, dependencies, importing_bundle

SCRIPTS = {
    "last.js": """import { add as plus, make } from "./numbers.js";
import { said } from "./voice.js";
const kept = "last";
said(`${kept} ${plus(make(), 2)}`);
""",
    "numbers.js": """const kept = 40;
export const add = (a, b) => a + b;
export function make() {
  return kept;
}
""",
    "voice.js": """import { make } from "./numbers.js";
export async function later() {}
export const said = (text) => console.log(text, make());
""",
    "other.js": """import { make } from "./numbers.js";
import { far } from "./further.js";
far(make());
""",
    "further.js": "export const far = 1;\n",
}


def test_what_a_script_needs_stands_before_it_and_each_stands_once():
    assert dependencies(SCRIPTS, "last.js") == ("numbers.js", "voice.js", "last.js")


def test_what_needs_itself_or_is_not_there_cannot_be_joined():
    round_and_round = {
        "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
    }
    with pytest.raises(NotBundled):
        dependencies(round_and_round, "a.js")
    with pytest.raises(KeyError):
        dependencies({"a.js": round_and_round["a.js"]}, "a.js")


@pytest.mark.parametrize(
    "line",
    [
        'import all from "./numbers.js";',
        'import * as all from "./numbers.js";',
        'import "./numbers.js";',
        "export default 1;",
        "export { kept };",
        "export let changing = 1;",
        "export class Kept {}",
        'import { make } from "./numbers.js"; make();',
    ],
)
def test_what_takes_or_gives_in_another_way_is_refused_and_not_left_out(line):
    with pytest.raises(NotBundled):
        bundle({"one.js": f"{line}\n"}, ["one.js"])


def test_what_is_fetched_later_takes_from_the_joined_script_what_is_in_it():
    told = importing_bundle(SCRIPTS["other.js"], ("numbers.js",), "last.js")
    assert told.startswith('import { $numbers } from "./last.js";\nconst { make } = $numbers;\n')
    assert 'import { far } from "./further.js";' in told


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
def test_the_joined_script_does_what_the_scripts_do():
    whole = bundle(SCRIPTS, dependencies(SCRIPTS, "last.js"))
    done = subprocess.run(
        ["node", "--input-type=module", "-e", whole], capture_output=True, text=True, check=True
    )
    assert done.stdout == "last 42 40\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
def test_what_stands_after_the_gate_begins_once_the_gate_is_ready():
    gate = {
        "gate.js": """export async function ready() {
  await new Promise((done) => setTimeout(done, 20));
  console.log("ready");
}
""",
        "rest.js": 'console.log("rest");\n',
    }
    whole = bundle(gate, ("gate.js", "rest.js"), "gate.js")
    done = subprocess.run(
        ["node", "--input-type=module", "-e", whole], capture_output=True, text=True, check=True
    )
    assert done.stdout == "ready\nrest\n"
