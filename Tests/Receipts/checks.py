# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share: named checks that run one after the other, and the count at the end."""

import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from processes import Failed  # noqa: E402


class Checks:
    def __init__(self, *expected):
        """Errors of the `expected` kinds are a check's result, and anything else shows where it came from."""
        self.expected = (Failed, *expected)
        self.functions = []

    def __call__(self, function):
        self.functions.append(function)
        return function

    def run(self, *arguments):
        """Runs all of them and says `N passed, N failed`; the exit status."""
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


def expect(condition, what):
    if not condition:
        raise Failed(what)
