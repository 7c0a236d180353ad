# SPDX-License-Identifier: Apache-2.0
"""The code in the pages of docs/backend, as it stands there."""

import re
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


def commands(name):
    """The commands of a page's section `Run it`."""
    return re.search(r"^## Run it\n\n```sh\n(.*?)^```$", text_of(name), re.M | re.S)[1]
