# SPDX-License-Identifier: Apache-2.0
"""`storectl scenario`: the scenarios that come with storectl, broken ones, and a store that runs already.

SCENARIO_SEED chooses the order of the scenarios and the broken ones, one in SCENARIO_SHARE (default: 3; 1 is all).
"""

import os
import random
import re
import subprocess
import xml.etree.ElementTree as xml

import pytest

from box import Box
from processes import BINARIES, ROOT

SHIPPED = ROOT / "Sources/StoreScenarios/Shipped"
STEP = re.compile(r"^  - ([a-z-]+):.*\n(?:    .*\n)*", re.MULTILINE)
TOGETHER = 1800  # seconds for all scenarios
# The steps that make the customers, and those that only look.
SHARE = int(os.environ.get("SCENARIO_SHARE", 3))
SEED = int(os.environ.get("SCENARIO_SEED") or random.SystemRandom().randrange(1 << 32))
NO_CAUSES = {"add-account", "notifications", "subscription-events", "refund-requests", "charges"}


def scenario(*arguments, **environment):
    return subprocess.run(
        [str(BINARIES / "storectl"), "scenario", *map(str, arguments)], capture_output=True, text=True,
        timeout=TOGETHER, check=False, **environment)


def names():
    return [line.split(":")[0] for line in scenario("list").stdout.splitlines()]


@pytest.mark.slow
def test_the_shipped_scenarios_pass_in_any_order(folder):
    """All scenarios pass, in any order, and the report for build servers says the same."""
    report, order = folder / "report.xml", names()
    assert len(order) == len(list(SHIPPED.glob("*.yaml"))), "a file isn't listed"
    random.Random(SEED).shuffle(order)
    ended = scenario("run", *order, "--junit", report)
    assert ended.returncode == 0, f"they failed in the order {order}:\n{ended.stdout}{ended.stderr}"
    suite = xml.parse(report).getroot()
    assert suite.get("tests") == str(len(order)) and suite.get("failures") == "0", "the report differs"


def causes(text):
    """The steps of a scenario without which something else happens."""
    for step in STEP.finditer(text):
        isnt_seen = step[1] == "server" and " get:" in step[0]
        is_set_up = step[1] == "move-clock" and "speed: real" in step[0]
        if step[1] not in NO_CAUSES and not isnt_seen and not is_set_up:
            yield step


@pytest.mark.slow
def test_each_of_them_fails_without_each_of_its_causes(folder):
    """Each scenario fails without each of its causes, and at an expectation if the cause has no name."""
    (folder / "garden.storekit").write_text((SHIPPED / "garden.storekit").read_text())
    broken = {}
    for name in names():
        text = scenario("show", name).stdout
        without = list(causes(text))
        assert without, f"{name} has no causes"
        for number, cause in enumerate(without):
            file = folder / f"{name}-{number}.yaml"
            file.write_text(text[:cause.start()] + text[cause.end():])
            broken[str(file)] = (f"{name} without {cause[0].strip()}", "\n    as: " in cause[0])
    print(f"SCENARIO_SEED={SEED}")
    broken = dict(random.Random(SEED).sample(sorted(broken.items()), len(broken) // SHARE))
    report = folder / "report.xml"
    ended = scenario("run", *broken, "--junit", report)
    assert ended.returncode == 1, f"it ended with {ended.returncode}: {ended.stdout}{ended.stderr}"
    played = {case.get("classname"): case.find("failure") for case in xml.parse(report).getroot()}
    assert played.keys() == broken.keys(), "the report has other files"
    for file, (what, has_name) in broken.items():
        assert played[file] is not None, f"{what} passes"
        message = played[file].get("message")
        assert re.match(rf"{file}(:\d+)?: ", message), f"no place: {message}"
        assert has_name or "there is no " not in message, f"{what} only lacks a name: {message}"


def test_a_file_that_cannot_be_read_fails_with_its_line(folder):
    """A mistake in a file is a failed scenario with its line; the others are played."""
    file = folder / "wrong.yaml"
    file.write_text("name: x\nsteps: []\n")
    ended = scenario("run", file, "no-such-file", "first-purchase")
    assert ended.returncode == 1 and "1 passed, 2 failed" in ended.stdout, f"the outcome is {ended.stdout}"
    assert f"{file}:" in ended.stdout and "scenario list" in ended.stdout, f"no remedy: {ended.stdout}"


def test_a_store_that_runs_already_is_emptied_and_used(folder):
    """A store that runs already is emptied and used."""
    with Box(folder / "box") as box:
        ended = scenario("run", "first-purchase", "trial-to-paid", "--store", box.facts["address"],
                         env=box.environment(OPENSTOREKIT_CONTROL_TOKEN=box.facts["controlToken"]))
        assert ended.returncode == 0 and "2 passed, 0 failed" in ended.stdout, f"they failed: {ended.stdout}"
    ended = scenario("run", "first-purchase", "--store", box.facts["address"])
    assert ended.returncode == 1 and "No store answers" in ended.stderr, f"it says {ended.stderr}"
