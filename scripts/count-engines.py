# SPDX-License-Identifier: Apache-2.0
"""Counts the tests of each engine in Swift Testing's event streams. Exit status 1 if an engine had none."""

import json
import sys
from collections import Counter

ENGINES = ("sqliteMemory", "sqliteFile", "postgresql")


def engine_of(event):
    """Returns the engine in a test case's arguments; a test of the PostgreSQL engine itself has no such argument."""
    arguments = event.get("_testCase", {}).get("displayName", "")
    for engine in ENGINES:
        if f".{engine}" in arguments:
            return engine
    return "postgresql" if event["testID"].startswith("StorePostgreSQLTests.") else None


counts = Counter()
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            if record["kind"] == "event" and record["payload"]["kind"] == "testCaseEnded":
                counts[engine_of(record["payload"])] += 1

for engine in ENGINES:
    print(f"{engine}: {counts[engine]} tests")
missing = [engine for engine in ENGINES if not counts[engine]]
if missing:
    sys.exit(f"No test ran on {', '.join(missing)}.")
