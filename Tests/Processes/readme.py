# SPDX-License-Identifier: Apache-2.0
"""The commands and files of README.md, as they stand there."""

import re

from processes import ROOT

README = ROOT / "README.md"


def section(title):
    """The text between a heading and the next one; that before the first one for an empty title."""
    if not title:
        return README.read_text().partition("\n## ")[0]
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README.read_text(), re.M | re.S)[1]


def blocks(title, language="sh"):
    """The blocks of code of a section."""
    return re.findall(rf"^```{language}\n(.*?)^```$", section(title), re.M | re.S)


def files(title):
    """The files of a section by their names: blocks behind a line that begins with the name."""
    return dict(re.findall(r"^`([\w./]+)`[^\n]*\n\n```\w+\n(.*?)^```$", section(title), re.M | re.S))
