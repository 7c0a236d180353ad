# SPDX-License-Identifier: Apache-2.0
"""An App Store in a box for tests with pytest: `storekit`, `storekit_notifications` and their factories."""

from pytest_openstorekit.control import Control
from pytest_openstorekit.errors import ControlError, StorekitError
from pytest_openstorekit.notifications import Notification, Notifications
from pytest_openstorekit.process import StoreFacts, StoreProcess
from pytest_openstorekit.running import RunningStore
from pytest_openstorekit.store import Storekit

__all__ = [
    "Control",
    "ControlError",
    "Notification",
    "Notifications",
    "RunningStore",
    "StoreFacts",
    "StoreProcess",
    "Storekit",
    "StorekitError",
]
