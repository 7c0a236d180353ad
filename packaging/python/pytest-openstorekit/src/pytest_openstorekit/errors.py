# SPDX-License-Identifier: Apache-2.0
"""The errors of the fixtures."""


class StorekitError(Exception):
    """The store can't be started, or a setting is wrong. The message has the remedy."""


class ControlError(Exception):
    """The store has refused a call of its remote control.

    `status` is the HTTP status, and `code` the store's own code, such as `not-found`. A call that has no answer has the
    status 0 and the code `unreachable`.
    """

    def __init__(self, verb: str, status: int, code: str, message: str) -> None:
        super().__init__(f"{verb}: {message} ({status} {code})")
        self.verb, self.status, self.code, self.message = verb, status, code, message
