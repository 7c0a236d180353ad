# SPDX-License-Identifier: Apache-2.0
"""A store that runs as long as the tests."""

import contextlib
import json
import queue
import re
import subprocess
import threading
from collections import deque
from dataclasses import dataclass
from typing import IO

from pytest_openstorekit.errors import StorekitError
from pytest_openstorekit.settings import Settings


@dataclass(frozen=True)
class StoreFacts:
    """A running store, and the secrets of its run."""

    address: str
    bundle_id: str
    control_token: str
    root_certificate: str
    receipt_root_certificate: str
    key_id: str
    issuer_id: str
    private_key: str


class StoreProcess:
    """A process of `storectl serve --ephemeral`.

    It writes nothing to the disk, and ends with the tests, also if they are killed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None
        self._log: deque[str] = deque(maxlen=200)
        self._facts: StoreFacts | None = None

    @property
    def facts(self) -> StoreFacts:
        """The store; only after `start`."""
        assert self._facts is not None, "the store hasn't started"
        return self._facts

    @property
    def pid(self) -> int:
        """The identifier of the process; only after `start`."""
        assert self._process is not None, "the store hasn't started"
        return self._process.pid

    @property
    def log(self) -> str:
        """The last lines of the store's log."""
        return "".join(self._log)

    def start(self) -> "StoreProcess":
        """Starts the store, and returns when it is ready.

        Raises `StorekitError` with the store's own sentence.
        """
        command = self._command()
        try:
            # The store ends when this pipe is closed. The system closes it, however this process ends.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        except OSError as error:
            raise StorekitError(f"{command[0]} can't be started: {error}.") from None
        try:
            self._facts = self._read_facts(self._ready_line(self._process))
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Ends the store, and waits for its end."""
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()

    def _command(self) -> list[str]:
        settings = self._settings
        command = [settings.exec or _installed_program(), "serve", "--ephemeral", "--json", "--end-with-input"]
        command += ["--listen", f"{settings.host}:{settings.port}"]
        for bundle, file in settings.apps.items():
            command += ["--configuration", file, "--bundle-id", bundle]
        return [*command, *settings.arguments]

    def _ready_line(self, process: subprocess.Popen[str]) -> str:
        """The line that the store prints when it is ready."""
        assert process.stdout and process.stderr
        lines: queue.Queue[str] = queue.Queue()
        log = threading.Thread(target=self._keep, args=(process.stderr,), daemon=True)
        log.start()
        threading.Thread(target=_read_line, args=(process.stdout, lines), daemon=True).start()
        try:
            line = lines.get(timeout=self._settings.startup_timeout)
        except queue.Empty:
            raise StorekitError(
                f"The store isn't ready after {self._settings.startup_timeout:g} s: raise storekit_startup_timeout. "
                f"Its log:\n{self.log}"
            ) from None
        if not line:
            status = process.wait()
            log.join(timeout=5)
            raise StorekitError(self._complaint(status))
        return line

    def _complaint(self, status: int) -> str:
        """Why the store has ended before it was ready."""
        said = self.log.strip()
        if old := re.search(r"version `(GLIBC_[\d.]+)' not found", said):
            return f"This storectl needs {old[1]}, and this machine's C library is older: use a newer system. {said}"
        if self._settings.port and f"{self._settings.port} is in use" in said:
            return (
                f"Port {self._settings.port} is in use: leave out storekit_port, so that each process of tests takes a "
                "free one."
            )
        return f"The store has ended with status {status} before it was ready: {said}"

    def _read_facts(self, line: str) -> StoreFacts:
        try:
            facts = json.loads(line)
            return StoreFacts(
                address=facts["address"],
                bundle_id=self._settings.bundle_id,
                control_token=facts["controlToken"],
                root_certificate=facts["rootCertificate"],
                receipt_root_certificate=facts["receiptRootCertificate"],
                key_id=facts["keyId"],
                issuer_id=facts["issuerId"],
                private_key=facts["privateKey"],
            )
        except (ValueError, KeyError, TypeError):
            raise StorekitError(
                f"{self._command()[0]} doesn't answer as storectl does. Its first line: {line[:200]}"
            ) from None

    def _keep(self, stream: IO[str]) -> None:
        with contextlib.suppress(ValueError, OSError):
            for line in stream:
                self._log.append(line)


def _read_line(stream: IO[str], lines: "queue.Queue[str]") -> None:
    with contextlib.suppress(ValueError, OSError):
        lines.put(stream.readline())
        for _ in stream:
            pass  # read on, so that the store never waits for this process


def _installed_program() -> str:
    try:
        import openstorekit
    except ImportError:
        raise StorekitError(
            "There is no storectl: install it with pip install 'pytest-openstorekit[store]', or name one with "
            "storekit_exec."
        ) from None
    try:
        return openstorekit.find_storectl()
    except openstorekit.StorectlUnavailable as error:
        raise StorekitError(str(error)) from None
