"""Scripts that become one: their names share one scope, each runs once, after what it needs."""

import shutil
import subprocess

import pytest

from bot.chats.web.assets import ENTRIES, NotBundled, bundle, dependencies, load_assets

SCRIPTS = {
    "last.js": """import { add, make } from "./numbers.js";
import { said } from "./voice.js";
const own = "last";
said(`${own} ${add(make(), 2)}`);
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
far(make(), () => import("./sound.js"));
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
        'import { make as made } from "./numbers.js";',
    ],
)
def test_what_takes_or_gives_in_another_way_is_refused_and_not_left_out(line):
    with pytest.raises(NotBundled):
        bundle({"one.js": f"{line}\n"}, ["one.js"])


def test_what_is_fetched_later_takes_from_the_joined_script_what_is_in_it():
    told = bundle(SCRIPTS, dependencies(SCRIPTS, "other.js"), ("numbers.js",))
    assert told.startswith('import { make } from "./page.js";\nconst far = 1;\n')
    assert 'import("./later.js")' in told, "what is wanted later is in one script too"
    assert "export { make };" in bundle(SCRIPTS, ["numbers.js", "last.js", "voice.js"])


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
        "first-paint.js": """await new Promise((done) => setTimeout(done, 20));
console.log("ready");
""",
        "rest.js": 'console.log("rest");\n',
    }
    whole = bundle(gate, ("first-paint.js", "rest.js"))
    done = subprocess.run(
        ["node", "--input-type=module", "-e", whole], capture_output=True, text=True, check=True
    )
    assert done.stdout == "ready\nrest\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
@pytest.mark.parametrize("name", ENTRIES)
def test_no_two_scripts_of_a_bundle_declare_the_same_name(name):
    whole = load_assets()[name].body
    subprocess.run(["node", "--input-type=module", "--check"], input=whole, check=True)
    # A service worker is no module.
    assert (b"export" in whole) is (name != "sw.js")
