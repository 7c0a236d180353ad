# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of this folder: named checks that run in order, and the count at the end."""

import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from processes import Failed  # noqa: E402


class Checks:
    def __init__(self, *expected):
        """Errors of the `expected` kinds fail a check; every other error is printed with its traceback, too."""
        self.expected = (Failed, *expected)
        self.functions = []

    def __call__(self, function):
        self.functions.append(function)
        return function

    def run(self, *arguments):
        """Runs all checks, prints `N passed, N failed`, and returns the exit status."""
        passed = 0
        for function in self.functions:
            name = function.__name__.replace("_", " ")
            try:
                function(*arguments)
                passed += 1
                print(f"ok      {name}", flush=True)
            except Exception as error:  # noqa: BLE001: any failure of a check is a result
                print(f"FAILED  {name}: {error}", flush=True)
                if not isinstance(error, self.expected):
                    traceback.print_exc()
        failed = len(self.functions) - passed
        print(f"{passed} passed, {failed} failed")
        return 1 if failed else 0
