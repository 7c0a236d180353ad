# SPDX-License-Identifier: Apache-2.0
"""Starts of `storectl serve` that have to fail."""

import os
import subprocess

from harness import BUNDLE, PATIENCE, Failed
from processes import BINARIES, CONFIGURATION, free_port

CATALOGUE = ["--configuration", CONFIGURATION, "--bundle-id", BUNDLE]


def serve(*arguments, status, **environment):
    """Runs `storectl serve`, which has to fail, and returns its stderr."""
    try:
        ran = subprocess.run(
            [str(BINARIES / "storectl"), "serve", *map(str, arguments)], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE, env={**os.environ, **environment})
    except subprocess.TimeoutExpired as running:
        raise Failed(f"serve {arguments} runs: {running.stdout} {running.stderr}") from None
    said = ran.stderr.strip()
    assert ran.returncode == status, f"serve {arguments} ended with {ran.returncode}, not {status}: {said}"
    assert not ran.stdout, f"serve {arguments} wrote to its output: {ran.stdout}"
    if status == 1:
        assert said.startswith("storectl: ") and "\n" not in said, f"not one sentence: {said}"
    return said


def listener():
    return "--listen", f"127.0.0.1:{free_port()}"
