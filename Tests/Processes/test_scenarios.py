# SPDX-License-Identifier: Apache-2.0
"""`storectl scenario`: the scenarios that come with storectl, broken ones, and a store that runs already.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import ROOT, expect, play_all  # noqa: E402
from processes import BINARIES  # noqa: E402
from test_ephemeral import Box  # noqa: E402

SHIPPED = ROOT / "Sources/StoreScenarios/Shipped"
STEP = re.compile(r"^  - ([a-z-]+):.*\n(?:    .*\n)*", re.MULTILINE)
# The steps that make the customers, and those that only look.
NO_CAUSES = {"add-account", "notifications", "subscription-events", "refund-requests", "charges"}


def scenario(*arguments, **environment):
    return subprocess.run([str(BINARIES / "storectl"), "scenario", *map(str, arguments)], capture_output=True, text=True,
                          timeout=900, check=False, **environment)


def names():
    return [line.split(":")[0] for line in scenario("list").stdout.splitlines()]


def shipped_ones_pass(folder):
    """All scenarios pass, in any order, and the report for build servers says the same."""
    report = Path(folder) / "report.xml"
    for order in (names(), names()[::-1]):
        ended = scenario("run", *order, "--junit", report)
        expect(ended.returncode == 0, f"they failed:\n{ended.stdout}{ended.stderr}")
        suite = xml.parse(report).getroot()
        expect(suite.get("tests") == str(len(order)) and suite.get("failures") == "0", "the report differs")
    expect(len(names()) == len(list(SHIPPED.glob("*.yaml"))), "a file isn't listed")


def causes(text):
    """The steps of a scenario without which something else happens."""
    for step in STEP.finditer(text):
        isnt_seen = step[1] == "server" and " get:" in step[0]
        is_set_up = step[1] == "move-clock" and "speed: real" in step[0]
        if step[1] not in NO_CAUSES and not isnt_seen and not is_set_up:
            yield step


def broken_ones_fail(folder):
    """Each scenario fails without each of its causes, and at an expectation if the cause has no name."""
    folder = Path(folder)
    (folder / "garden.storekit").write_text((SHIPPED / "garden.storekit").read_text())
    broken = {}
    for name in names():
        text = scenario("show", name).stdout
        without = list(causes(text))
        expect(without, f"{name} has no causes")
        for number, cause in enumerate(without):
            file = folder / f"{name}-{number}.yaml"
            file.write_text(text[:cause.start()] + text[cause.end():])
            broken[str(file)] = (f"{name} without {cause[0].strip()}", "\n    as: " in cause[0])
    report = folder / "report.xml"
    ended = scenario("run", *broken, "--junit", report)
    expect(ended.returncode == 1, f"it ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    played = {case.get("classname"): case.find("failure") for case in xml.parse(report).getroot()}
    expect(played.keys() == broken.keys(), "the report has other files")
    for file, (what, has_name) in broken.items():
        expect(played[file] is not None, f"{what} passes")
        message = played[file].get("message")
        expect(re.match(rf"{file}(:\d+)?: ", message), f"no place: {message}")
        expect(has_name or "there is no " not in message, f"{what} only lacks a name: {message}")


def a_file_that_cannot_be_read(folder):
    """A mistake in a file is a failed scenario with its line; the others are played."""
    file = Path(folder) / "wrong.yaml"
    file.write_text("name: x\nsteps: []\n")
    ended = scenario("run", file, "no-such-file", "first-purchase")
    expect(ended.returncode == 1 and "1 passed, 2 failed" in ended.stdout, f"the outcome is {ended.stdout}")
    expect(f"{file}:" in ended.stdout and "scenario list" in ended.stdout, f"no remedy: {ended.stdout}")


def on_a_running_store(folder):
    """A store that runs already is emptied and used."""
    with Box(folder) as box:
        ended = scenario("run", "first-purchase", "trial-to-paid", "--store", box.facts["address"],
                         env=box.environment(OPENSTOREKIT_CONTROL_TOKEN=box.facts["controlToken"]))
        expect(ended.returncode == 0 and "2 passed, 0 failed" in ended.stdout, f"they failed: {ended.stdout}")
    ended = scenario("run", "first-purchase", "--store", box.facts["address"])
    expect(ended.returncode == 1 and "No store answers" in ended.stderr, f"it says {ended.stderr}")


def scenarios():
    yield "The scenarios that come with storectl pass, in any order", shipped_ones_pass, {}
    yield "Each of them fails without each of its causes", broken_ones_fail, {}
    yield "A file that can't be read fails with its line", a_file_that_cannot_be_read, {}
    yield "A store that runs already is emptied and used", on_a_running_store, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
