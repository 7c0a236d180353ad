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
GOING_ON = re.compile(r"^  - (?:advance|approve|ask-refund|choose-plan|buy|remove-family-member|answer-price-consent)\b.*\n"
                      r"(?:    .*\n)*", re.MULTILINE)
MODE = re.compile(r"^  - set-delivery-mode\b.*\n", re.MULTILINE)


def scenario(*arguments, **environment):
    return subprocess.run([str(BINARIES / "storectl"), "scenario", *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, check=False, **environment)


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


def broken_ones_fail(folder):
    """Each scenario fails when the last event before its last expectation doesn't happen, and without its mode of
    delivery."""
    folder = Path(folder)
    (folder / "garden.storekit").write_text((SHIPPED / "garden.storekit").read_text())
    for name in names():
        text = scenario("show", name).stdout
        [*_, event] = GOING_ON.finditer(text)
        for cause in (event, *MODE.finditer(text)):
            file = folder / f"{name}.yaml"
            file.write_text(text[:cause.start()] + text[cause.end():])
            ended = scenario("run", file)
            expect(ended.returncode == 1 and "0 passed, 1 failed" in ended.stdout,
                   f"{name} passes without {cause[0].strip()}:\n{ended.stdout}")
            expect(re.search(rf"{file}(:\d+)?: ", ended.stdout), f"no place: {ended.stdout}")


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
    yield "Each of them fails without its cause", broken_ones_fail, {}
    yield "A file that can't be read fails with its line", a_file_that_cannot_be_read, {}
    yield "A store that runs already is emptied and used", on_a_running_store, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
