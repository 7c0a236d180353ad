# SPDX-License-Identifier: Apache-2.0
"""Prints the test cases that Swift Testing's event stream says have begun and not ended: those of a process that
hung or died. At most 20, the oldest first."""

import json
import sys

LIMIT = 20
begun = {}
with open(sys.argv[1], encoding="utf-8", errors="replace") as stream:
    for line in stream:
        try:
            record = json.loads(line)
        except ValueError:
            continue  # the last line of a process that was ended
        if record["kind"] != "event":
            continue
        event = record["payload"]
        if event["kind"] not in ("testCaseStarted", "testCaseEnded"):
            continue
        case = (event["testID"], event.get("_testCase", {}).get("displayName", ""))
        if event["kind"] == "testCaseStarted":
            begun[case] = begun.get(case, 0) + 1
        elif begun.get(case):
            begun[case] -= 1

unfinished = [case for case, count in begun.items() if count]
for test, case in unfinished[:LIMIT]:
    print(f"not ended: {test} {case}".rstrip())
if len(unfinished) > LIMIT:
    print(f"and {len(unfinished) - LIMIT} more")
