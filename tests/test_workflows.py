"""What runs in CI is what was meant: actions by digest, no credentials left, least permissions."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
WRITES = {
    "release": {"contents": "write", "id-token": "write", "packages": "write"},
    "site": {"id-token": "write", "pages": "write"},
}
"""What the last job of a workflow may write."""

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_there_are_workflows():
    assert WORKFLOWS


def test_every_action_is_pinned_by_digest_with_its_version_beside_it():
    lines = [one for path in WORKFLOWS for one in path.read_text().splitlines() if "uses:" in one]
    assert lines
    for one in lines:
        assert re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", one), one


def test_no_checkout_leaves_its_credentials():
    for path in WORKFLOWS:
        steps = re.split(r"\n\s*- ", path.read_text())
        checkouts = [one for one in steps if "actions/checkout@" in one]
        assert checkouts
        assert all("persist-credentials: false" in one for one in checkouts)


def test_a_job_may_read_what_it_checks_out_and_only_the_last_of_a_release_writes():
    for path in WORKFLOWS:
        text = path.read_text()
        assert "\npermissions: {}\n" in text
        jobs = yaml.safe_load(text)["jobs"]
        granted = {name: job["permissions"] for name, job in jobs.items()}
        writes = WRITES.get(path.stem)
        assert granted.pop("publish", None) == writes
        assert all(one == {"contents": "read"} for one in granted.values())
        assert "pull_request_target" not in text
        assert "${{ github.event" not in text, "what others write into a command"


def test_a_release_is_made_of_a_tag_alone_by_tools_of_a_version():
    text = (ROOT / ".github/workflows/release.yml").read_text()
    assert yaml.safe_load(text)[True] == {"push": {"tags": ["v*"]}}
    tools = re.findall(r"pipx run (?:--spec )?(\S+)", text)
    assert len(tools) == 5
    assert all(re.fullmatch(r"[a-z-]+==\d+\.\d+\.\d+", one) for one in tools)
    for line in re.findall(r"run: (.+)", text):
        assert "${{" not in line, "what is put into a command by its name"


def test_the_notes_of_a_release_are_those_of_its_version():
    text = (ROOT / ".github/workflows/release.yml").read_text()
    (line,) = re.findall(r"sed .* CHANGELOG.md", text)
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=ROOT,
        env={"GITHUB_REF_NAME": "v0.3.0", "PATH": os.defpath},
        capture_output=True,
        text=True,
        check=True,
    )
    changes = (ROOT / "CHANGELOG.md").read_text()
    own = changes.partition("\n## 0.3.0 ")[2].partition("\n## ")[0].partition("\n")[2]
    assert done.stdout.strip() == own.strip()
    assert own.strip()


def test_the_forms_of_issues_ask_for_what_is_needed_to_mend():
    forms = {one.stem: yaml.safe_load(one.read_text()) for one in FORMS.glob("*.yml")}
    assert forms.pop("config") == {"blank_issues_enabled": True}
    assert forms
    for form in forms.values():
        assert {"name", "description", "body"} <= form.keys()
        assert all({"type", "id", "attributes"} <= one.keys() for one in form["body"])
    fault = (FORMS / "fault.yml").read_text()
    assert "`ludoteca --version`" in fault
    assert "`ludoteca doctor --quiet`" in fault
