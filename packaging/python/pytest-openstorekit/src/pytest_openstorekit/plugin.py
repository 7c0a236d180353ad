# SPDX-License-Identifier: Apache-2.0
"""The plugin of pytest: its options, and the fixtures by their usual names."""

import pytest

from pytest_openstorekit import factories
from pytest_openstorekit.settings import add_options


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the settings of the fixtures."""
    add_options(parser)


storekit_proc = factories.storekit_proc()
storekit_noproc = factories.storekit_noproc()
storekit = factories.storekit("storekit_proc")
storekit_notifications = factories.storekit_notifications("storekit")
