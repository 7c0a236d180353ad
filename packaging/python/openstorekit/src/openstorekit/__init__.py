# SPDX-License-Identifier: Apache-2.0
"""`storectl`, the App Store in a box for tests of a seller's server."""

import os
import platform
import sys
import sysconfig
from pathlib import Path

__all__ = ["StorectlUnavailable", "check_glibc", "find_storectl"]


class StorectlUnavailable(Exception):
    """The program is missing, or doesn't run on this machine. The message has the remedy."""


def find_storectl() -> str:
    """The path of `storectl`.

    The program comes with this package, in the folder of its environment's programs. The environment variable
    `STORECTL` names another one, such as one that was built with PostgreSQL.

    Raises `StorectlUnavailable`.
    """
    given = os.environ.get("STORECTL")
    if given:
        if os.access(given, os.X_OK) and Path(given).is_file():
            return given
        raise StorectlUnavailable(f"STORECTL names {given}, which is no program: correct the variable, or remove it.")
    check_glibc(_needed_glibc())
    folders = _folders()
    for folder in folders:
        path = Path(folder) / "storectl"
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    raise StorectlUnavailable(
        f"storectl isn't in {' or '.join(folders)}: install it with pip install --force-reinstall openstorekit."
    )


def check_glibc(needed: tuple[int, int]) -> None:
    """Checks that this machine's C library is as new as the program needs.

    Raises `StorectlUnavailable`.
    """
    name, version = platform.libc_ver()
    if name != "glibc":
        raise StorectlUnavailable(
            f"This storectl needs glibc {_text(needed)} or newer, and this machine has another C library (as Alpine "
            "has): use an image of Debian or Ubuntu, such as python:3-slim."
        )
    numbers = version.split(".")
    if (int(numbers[0]), int(numbers[1])) < needed:
        raise StorectlUnavailable(
            f"This storectl needs glibc {_text(needed)} or newer, and this machine has {version}: use a newer system, "
            "such as Debian 12 or Ubuntu 22.04."
        )


def _text(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _needed_glibc() -> tuple[int, int]:
    # The build of the wheel makes the file: a checkout of the sources has no program.
    try:
        major, minor = Path(__file__).with_name("glibc.txt").read_text().split(".")
    except OSError:
        raise StorectlUnavailable("This openstorekit is no wheel: set STORECTL to the program.") from None
    return int(major), int(minor)


def _folders() -> list[str]:
    """The folders of pip's programs: of the environment, of the user, and beside `pip install --target`."""
    package = Path(__file__).resolve().parent
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", vars={"base": sys.base_prefix}),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")),
        str(package.parent / "bin"),
    ]
    return list(dict.fromkeys(folders))
