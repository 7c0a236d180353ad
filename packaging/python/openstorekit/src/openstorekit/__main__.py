# SPDX-License-Identifier: Apache-2.0
"""`python -m openstorekit` is `storectl`."""

import os
import sys

from openstorekit import StorectlUnavailable, find_storectl


def main() -> None:
    """Replaces this process by the program."""
    try:
        program = find_storectl()
    except StorectlUnavailable as error:
        sys.exit(f"openstorekit: {error}")
    # The program replaces Python, so that signals and the exit status are the program's own.
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
