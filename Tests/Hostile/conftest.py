# SPDX-License-Identifier: Apache-2.0
"""The limits of this machine that attacks need."""

import pytest

from attacked_store import allow_files

FILES = 4096


@pytest.fixture(scope="session", autouse=True)
def files():
    allow_files(FILES)
