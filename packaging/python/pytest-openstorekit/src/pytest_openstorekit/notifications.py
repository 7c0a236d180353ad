# SPDX-License-Identifier: Apache-2.0
"""A server that receives App Store Server Notifications in a test."""

import base64
import contextlib
import http.server
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pytest_openstorekit.errors import ControlError
from pytest_openstorekit.store import Storekit


def decode(signed: str) -> dict[str, Any]:
    """The payload of a JWS, without a verification: `Storekit.verifier()` verifies it."""
    part = signed.split(".")[1]
    payload = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    assert isinstance(payload, dict)
    return payload


@dataclass(frozen=True)
class Notification:
    """A notification that has arrived."""

    signed_payload: str

    @property
    def payload(self) -> dict[str, Any]:
        """The decoded payload, not verified."""
        return decode(self.signed_payload)

    @property
    def type(self) -> str:
        """The `notificationType`, such as `DID_RENEW`."""
        return str(self.payload["notificationType"])

    @property
    def subtype(self) -> str | None:
        """The subtype, such as `INITIAL_BUY`; `None` for a notification without one."""
        return self.payload.get("subtype")

    @property
    def uuid(self) -> str:
        """The `notificationUUID`, which a repetition has too."""
        return str(self.payload["notificationUUID"])

    @property
    def transaction(self) -> dict[str, Any]:
        """The decoded `signedTransactionInfo`, not verified. Empty for a notification without one."""
        return self._signed("signedTransactionInfo")

    @property
    def renewal(self) -> dict[str, Any]:
        """The decoded `signedRenewalInfo`, not verified. Empty for a notification without one."""
        return self._signed("signedRenewalInfo")

    def _signed(self, name: str) -> dict[str, Any]:
        signed = self.payload.get("data", {}).get(name)
        return decode(signed) if signed else {}

    def __str__(self) -> str:
        return "/".join(filter(None, (self.type, self.subtype)))


class Notifications:
    """The notifications of an app that have arrived, in their order. Each is taken once."""

    def __init__(self, storekit: Storekit) -> None:
        self._storekit = storekit
        self._waiting: list[Notification] = []
        self._changed = threading.Condition()
        #: The status with which the next notifications are answered; the store repeats those that fail.
        self.status = 200

    def wait_for(self, type: str, subtype: str | None = None, *, timeout: float = 10) -> Notification:
        """Takes the first notification of a type that hasn't been taken, and waits for it if it hasn't arrived.

        Any subtype fits when `subtype` is absent. Raises `AssertionError` after `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                for notification in self._waiting:
                    if notification.type == type and subtype in (None, notification.subtype):
                        self._waiting.remove(notification)
                        return notification
                if not self._changed.wait(deadline - time.monotonic()):
                    wanted = "/".join(filter(None, (type, subtype)))
                    raise AssertionError(f"{wanted} hasn't arrived in {timeout:g} s. Not taken: {self._names()}.")

    def take_all(self) -> list[Notification]:
        """Takes all notifications, when the store has sent those that are due."""
        self._storekit.settle()
        with self._changed:
            taken, self._waiting = self._waiting, []
        return taken

    def assert_no_others(self) -> None:
        """Asserts that all notifications were taken, when the store has sent those that are due."""
        self._storekit.settle()
        with self._changed:
            assert not self._waiting, f"others have arrived: {self._names()}"

    def _names(self) -> str:
        return ", ".join(map(str, self._waiting)) or "none"

    def _arrived(self, signed_payload: str) -> None:
        with self._changed:
            self._waiting.append(Notification(signed_payload))
            self._changed.notify_all()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, notifications: Notifications) -> None:
        self.notifications = notifications
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, _Server)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = server.notifications.status
        try:
            signed = json.loads(body)["signedPayload"]
            decode(signed)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            status = 400
        else:
            server.notifications._arrived(signed)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Writes no log."""


@contextlib.contextmanager
def receiving(storekit: Storekit) -> Iterator[Notifications]:
    """Receives the app's notifications until the end of the block.

    Raises `ControlError` when the store refuses the receiver's address.
    """
    notifications = Notifications(storekit)
    server = _Server(notifications)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/notifications"
    try:
        storekit.control.add_notification_address(url=url, bundle=storekit.bundle_id)
        try:
            yield notifications
        finally:
            # A store that has ended has no addresses.
            with contextlib.suppress(ControlError):
                storekit.control.remove_notification_address(url=url, bundle=storekit.bundle_id)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
