# SPDX-License-Identifier: Apache-2.0
"""The code in the pages of docs/backend, as it stands there."""

import re
import textwrap
from pathlib import Path

from processes import ROOT

PAGES = ROOT / "docs" / "backend"


def text_of(name):
    return (PAGES / name).read_text()


def write_files(name, folder):
    """Writes the files of a page, each a block of code behind a line with its name, and returns their names."""
    found = re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", text_of(name), re.M | re.S)
    for file, contents in found:
        (Path(folder) / file).write_text(contents)
    return [file for file, _ in found]


def commands(name, section="Run it", every=False):
    """The commands of a section of a page: the first block of its shell commands, or the list of all."""
    text = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", text_of(name), re.M | re.S)[1]
    found = [textwrap.dedent(block) for block in re.findall(r"^ *```sh\n(.*?)^ *```$", text, re.M | re.S)]
    return found if every else found[0]


def versions():
    """The versions of packages that the pages name, by page."""
    version = re.compile(r"openstorekit[-_:](\d+(?:\.\d+)+)")
    return {page.name: set(version.findall(page.read_text())) for page in PAGES.glob("*.md")}
