# SPDX-License-Identifier: Apache-2.0
"""Prints the numbers of passed and failed tests in the given xUnit files. Skipped tests are listed on stderr."""

import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for path in sys.argv[1:]:
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            print(f"SKIPPED: {case.get('classname')}.{case.get('name')}", file=sys.stderr)
        elif case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        else:
            passed += 1
print(passed, failed)
