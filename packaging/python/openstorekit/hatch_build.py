# SPDX-License-Identifier: Apache-2.0
"""Puts the program into the wheel, and names the machines on which it runs."""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The libraries that PEP 600 lets a wheel for manylinux expect of the system.
SYSTEM = re.compile(r"(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|util|resolv)\.so\.\d+|ld-linux[\w-]*\.so\.\d+)$")
MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}


def read_elf(*arguments: str) -> str:
    ran = subprocess.run(["readelf", "--wide", *arguments], check=True, capture_output=True, text=True)
    return ran.stdout


def newest_glibc(program: str) -> tuple[int, int]:
    """The newest version of glibc's symbols that a program needs."""
    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", read_elf("--version-info", program))
    return max((int(major), int(minor)) for major, minor in versions)


def platform_of(program: str) -> str:
    """The wheel's platform: of manylinux if the program expects system libraries only, or else of this machine."""
    machine = MACHINES[re.search(r"Machine:\s+(.*)", read_elf("--file-header", program))[1]]  # type: ignore[index]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", read_elf("--dynamic", program))
    if all(map(SYSTEM.match, needed)):
        major, minor = newest_glibc(program)
        return f"manylinux_{major}_{minor}_{machine}"
    return f"linux_{machine}"


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    """Takes the program STORECTL, and the folder LICENCES of its parts' licences, from the environment."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        program = os.environ.get("STORECTL")
        if not program or not Path(program).is_file():
            raise FileNotFoundError("set STORECTL to the program that the wheel is made of; scripts/wheel does so")
        major, minor = newest_glibc(program)
        self.folder = tempfile.TemporaryDirectory()
        facts = Path(self.folder.name) / "glibc.txt"
        facts.write_text(f"{major}.{minor}\n")
        build_data["tag"] = f"py3-none-{platform_of(program)}"
        build_data["pure_python"] = False
        build_data["shared_scripts"][program] = "storectl"
        build_data["force_include"][os.environ["LICENCES"]] = "openstorekit/licences"
        build_data["force_include"][str(facts)] = "openstorekit/glibc.txt"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()
