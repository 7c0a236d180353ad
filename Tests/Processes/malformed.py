# SPDX-License-Identifier: Apache-2.0
"""Values that requests shouldn't have, and the rule for the answers: never a 5xx, always a machine-readable code."""

import json

from harness import BUNDLE, SEEDS, ask, code_of, nothing_charged

MESSAGES = {
    "register": {},
    "products": {"bundleIdentifier": BUNDLE, "productIdentifiers": [SEEDS], "languages": ["en_US"]},
    "payments": {"requestIdentifier": "payment", "bundleIdentifier": BUNDLE, "productIdentifier": SEEDS, "quantity": 1,
                 "simulatesAskToBuy": False, "applicationUsername": "somebody"},
    "finish": {"bundleIdentifier": BUNDLE, "transactionIdentifier": "2000000000000000"},
    "restore": {"requestIdentifier": "restore", "bundleIdentifier": BUNDLE, "page": 0},
    "receipt": {"requestIdentifier": "receipt", "bundleIdentifier": BUNDLE, "applicationVersion": "1.0",
                "mayAskToSignIn": False},
    "queue": {"bundleIdentifier": BUNDLE},
    "sign-out": {},
}
OPTIONAL = {"applicationUsername"}

# Bodies that aren't JSON, or aren't an object. RFC 8259 requires UTF-8.
NOT_JSON = {
    "nothing": b"", "blank": b"  \n", "cut": b'{"bundleIdentifier": "', "half": b"{", "text": b"hello",
    "only bad UTF-8": b"\xff\xfe\xfd", "zeros": b"\0" * 64, "two objects": b"{}{}",
    "form": b"bundleIdentifier=x&page=0", "deep list": b"[" * 200_000, "deep object": b'{"a":' * 50_000,
    "deep and whole": b"[" * 100_000 + b"]" * 100_000, "XML": b"<?xml version='1.0'?><plist/>",
}
# Bodies that Foundation's decoder accepts nevertheless if it reads none of their fields.
DOUBTFUL = {
    "bad UTF-8": b'{"other": "\xff\xfe\xc0\xaf"}', "a comma too many": b'{"bundleIdentifier": "x",}',
    "UTF-16": '{"page": 0}'.encode("utf-16"),
}
NOT_AN_OBJECT = {"null": b"null", "list": b"[]", "number": b"7", "string": b'"x"', "true": b"true"}
VALUES = [
    None, True, 0, 1, -1, 11, 1.5, 2**31, 2**62, 2**63 - 1, 2**63, -2**63, 2**64, 1e300, "", " ", "x", "\0", "a\0b",
    "\ud800", "\u202e", "../../etc/passwd", "' OR 1=1 --", "%s%n", "x" * 100_000, [], ["x"], [None], [[]], {},
    {"x": 1}, [""] * 3000, ["x" * 2000] * 100,
]


def encode(message):
    return json.dumps(message).encode()


class Findings:
    """Collects wrong answers, so that one run reports all of them."""

    def __init__(self):
        self.problems = []
        self.asked = 0

    def check(self, what, status, text, statuses=None, code=None):
        self.asked += 1
        said = f"{what}: {status} {text[:200]!r}"
        if status >= 500 or (statuses and status not in statuses):
            self.problems.append(f"{said}, expected {statuses or 'no 5xx'}")
        elif status != 200 and code_of(text) is None:
            self.problems.append(f"{said} has no code")
        elif code and code_of(text) != code:
            self.problems.append(f"{said}, expected the code {code}")
        elif status == 200:
            try:
                json.loads(text)
            except ValueError:
                self.problems.append(f"{said} isn't JSON")

    def end(self, market):
        """Requires that all answers were right, that nothing was sold, and that the log has no unexpected error."""
        assert not self.problems, f"{len(self.problems)} of {self.asked} answers:\n" + "\n".join(self.problems[:30])
        assert self.asked > 0, "nothing was asked"
        assert ask("GET", f"{market.store.url}/healthz")[0] == 200, "the store doesn't answer any more"
        surprises = [line for line in market.store.log.read_text().splitlines() if "unexpected error" in line]
        assert not surprises, f"the store's log: {surprises[:5]}"
        nothing_charged(market.store)
