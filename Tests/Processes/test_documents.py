# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md for tests of a back end, as they stand there."""

import os
import re
import subprocess

import pytest

from processes import ROOT

SECTION = re.compile(r"\n## Tests of a back end.*?\n(?=## )", re.S)


def block(text, language):
    return re.search(rf"```{language}\n(.*?)```", text, re.S).group(1)


@pytest.mark.soak
def test_the_wheels_of_the_readme(folder):
    """The wheels are made, installed and used with Python's own tools."""
    section = SECTION.search((ROOT / "README.md").read_text()).group()
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OPENSTOREKIT", "STORECTL", "PYTEST", "PYTHON"))}
    run = {"env": kept, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "timeout": 3600}
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", block(section, "sh")], cwd=ROOT, **run)
    assert ran.returncode == 0, ran.stdout
    (folder / "test_shop.py").write_text(block(section, "python"))
    ran = subprocess.run([ROOT / ".build" / "shop" / "bin" / "pytest", "test_shop.py"], cwd=folder, **run)
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout
