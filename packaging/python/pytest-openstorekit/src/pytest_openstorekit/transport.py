# SPDX-License-Identifier: Apache-2.0
"""Requests to a store, by Python's standard library."""

import json
import urllib.error
import urllib.request
from typing import Any

from pytest_openstorekit.errors import ControlError

# A proxy of the environment is for requests to other machines.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Transport:
    """Sends the calls of the remote control to one store."""

    def __init__(self, address: str, token: str, timeout: float = 60) -> None:
        """`timeout` is the longest time of a call, in seconds."""
        self.address, self.timeout = address.rstrip("/"), timeout
        self._token = token

    def call(self, verb: str, fields: dict[str, Any]) -> Any:
        """Returns the answer of a call; raises `ControlError`."""
        request = urllib.request.Request(
            f"{self.address}/control/v1/{verb}",
            data=json.dumps(fields).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
        )
        try:
            with _opener.open(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise self._refusal(verb, error) from None
        except (OSError, ValueError) as error:
            message = f"the store at {self.address} hasn't answered: {error}"
            raise ControlError(verb, 0, "unreachable", message) from None

    def get(self, path: str) -> bytes:
        """Returns a document of the store; raises `OSError`."""
        with _opener.open(f"{self.address}{path}", timeout=self.timeout) as answer:
            contents = answer.read()
        assert isinstance(contents, bytes)
        return contents

    def _refusal(self, verb: str, error: urllib.error.HTTPError) -> ControlError:
        text = error.read().decode(errors="replace")
        try:
            refusal = json.loads(text)["error"]
            return ControlError(verb, error.code, refusal["code"], refusal["message"])
        except (ValueError, KeyError, TypeError):
            message = f"{self.address} answers, and not as a store does: {text[:200]}"
            return ControlError(verb, error.code, "unreadable", message)
