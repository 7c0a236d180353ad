# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest_openstorekit
from pytest_openstorekit import factories

GARDEN = Path(pytest_openstorekit.__file__).with_name("garden.storekit")

# A store of another app, beside that of the fixtures with the usual names.
other_proc = factories.storekit_proc(apps={"com.example.other": GARDEN}, arguments=("--server-api-rate", "1"))
other = factories.storekit("other_proc")
other_notifications = factories.storekit_notifications("other")
