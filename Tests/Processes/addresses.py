# SPDX-License-Identifier: Apache-2.0
"""The addresses that commands print, opened as a browser opens them."""

import os
import re
import signal
import subprocess
import threading
import urllib.error
import urllib.request

from harness import wait_until
from processes import BINARIES, ROOT

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+[^\s)`\"'<>]*")
STARTING = 3600  # seconds in which a command builds its programs and prints their addresses


def opened(address, **headers):
    """The status and the type of the answer to a browser, which follows redirects."""
    accepted = "text/html,application/xhtml+xml,*/*;q=0.8"
    request = urllib.request.Request(address, headers={"Accept": accepted, **headers})
    try:
        with urllib.request.urlopen(request, timeout=900) as answer:
            return answer.status, answer.headers.get_content_type()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get_content_type()


def is_page(address):
    status, kind = opened(address)
    assert status == 200 and kind == "text/html", f"{address} was answered with {status}, {kind}"


class Command:
    """A command that starts servers and prints their addresses."""

    def __init__(self, *command, **environment):
        self.lines = []
        # A group of its own: Ctrl-C reaches the servers, too. A process that runs in the background ignores the signal,
        # and so would its children.
        self.process = subprocess.Popen(
            ["env", "--default-signal=INT", *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, cwd=ROOT, start_new_session=True, env={**os.environ, **environment})
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()

    @classmethod
    def script(cls, name, **environment):
        """A script of this repository, with the programs of this run."""
        return cls(ROOT / "scripts" / name, BINARIES=str(BINARIES), **environment)

    @property
    def said(self):
        return "".join(self.lines)

    def wait_for(self, words):
        """Waits until the command has printed some words."""
        def printed():
            assert self.process.poll() is None or words in self.said, f"it ended:\n{self.said}"
            return words in self.said
        wait_until(f'it prints "{words}"', printed, seconds=STARTING)

    def addresses(self, end):
        """The addresses that it prints before a sentence."""
        self.wait_for(end)
        return ADDRESS.findall(self.said)

    def stop(self):
        """Presses Ctrl-C, and waits for the end."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(timeout=900)
        self.reader.join(timeout=900)
        assert not self.reader.is_alive(), "a process that it has started goes on"
        self.process.stdout.close()
