"""What runs in CI is what was meant: actions by digest, no credentials left, least permissions."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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


def test_a_job_may_read_what_it_checks_out_and_nothing_else():
    for path in WORKFLOWS:
        text = path.read_text()
        assert "\npermissions: {}\n" in text
        granted = re.findall(r"permissions:\n((?:\s{6}\w.*\n)+)", text)
        assert len(granted) == text.count("runs-on:")
        assert {one.strip() for one in granted} == {"contents: read"}
        assert "pull_request_target" not in text
        assert "${{ github.event" not in text, "what others write into a command"


def test_a_bot_keeps_actions_and_packages_new():
    text = (ROOT / ".github" / "dependabot.yml").read_text()
    for kind in ("pip", "npm", "github-actions", "docker"):
        assert f"package-ecosystem: {kind}\n" in text
