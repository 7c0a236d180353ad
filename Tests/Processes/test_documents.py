# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md, CONTRIBUTING.md and docs/backend: a test runs each of them, as it stands there."""

import os
import re
import subprocess
from collections import Counter

import pytest

import readme
from processes import ROOT

BACK_END = "Tests of a back end, in any language"
# The tests that run the blocks of commands, by page and section. One test may run several.
RUN = {
    "README.md": {
        "OpenStoreKit": ["test_make_run_starts_the_store_and_an_app"],  # test_make_test_passes runs its second line
        BACK_END: ["test_the_wheels_of_the_readme"],
        "An app in three files": ["test_an_app_in_three_files_buys"] * 2,
        "A seller's own server": ["test_make_garden_starts_all_parts"],  # test_make_test_passes runs its second line
    },
    "CONTRIBUTING.md": {"Contributing": ["test_make_test_passes"]},
    "docs/backend/README.md": {
        "Install": ["test_the_tar_file_is_unpacked", "test_the_commands_install_the_debian_package"],
    },
    "docs/backend/python.md": {
        "Install": ["test_a_back_end_is_tested_with_the_wheels"] * 2,
        "Run it": ["test_a_back_end_is_tested_with_the_wheels"],
    },
    "docs/backend/curl.md": {
        "Install": ["test_the_test_of_the_page_passes"],
        "The test": ["test_the_test_of_the_page_passes"],
        "Run it": ["test_the_test_of_the_page_passes"],
        "By hand": ["test_the_commands_by_hand"] * 2,
    },
    **{f"docs/backend/{language}.md": dict.fromkeys(("Install", "Run it"), ["test_the_test_of_the_page_passes"])
       for language in ("node", "java", "go", "ruby")},
}


def test_each_command_of_the_documents_is_run_by_a_test():
    """A new block of commands needs a test that runs it as it stands there, and its line in the table above."""
    tests = "".join(path.read_text() for path in (ROOT / "Tests").rglob("test_*.py"))
    pages = ["README.md", "CONTRIBUTING.md", *(
        str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs" / "backend").glob("*.md")))]
    for page in pages:
        counts = Counter()
        heading = None
        for line in (ROOT / page).read_text().splitlines():
            if found := re.match(r"##? (.*)", line):
                heading = found[1]
            counts[heading] += line.strip() == "```sh"
        assert +counts == {title: len(names) for title, names in RUN[page].items()}, f"{page}: blocks by section"
        for name in {name for names in RUN[page].values() for name in names}:
            assert f"def {name}(" in tests, f"there is no test {name}"


@pytest.mark.soak
def test_the_wheels_of_the_readme(folder):
    """The wheels are made, installed and used with Python's own tools."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OPENSTOREKIT", "STORECTL", "PYTEST", "PYTHON"))}
    run = {"env": kept, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "timeout": 3600}
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", readme.blocks(BACK_END)[0]], cwd=ROOT, **run)
    assert ran.returncode == 0, ran.stdout
    (folder / "test_shop.py").write_text(readme.blocks(BACK_END, "python")[0])
    ran = subprocess.run([ROOT / ".build" / "shop" / "bin" / "pytest", "test_shop.py"], cwd=folder, **run)
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout
