# SPDX-License-Identifier: Apache-2.0
"""Errors are reported clearly and lose nothing: with real processes, real sockets and a full disk.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import account_errors  # noqa: E402
import app_errors  # noqa: E402
import catalogue_commands  # noqa: E402
import database_errors  # noqa: E402
import malformed_pages  # noqa: E402
import malformed_requests  # noqa: E402
import serve_errors  # noqa: E402
import setup_errors  # noqa: E402
from harness import play_all  # noqa: E402


def scenarios():
    for part in (database_errors, malformed_requests, malformed_pages, app_errors, setup_errors, serve_errors,
                 account_errors, catalogue_commands):
        yield from part.scenarios()


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
