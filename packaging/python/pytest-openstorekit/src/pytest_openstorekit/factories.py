# SPDX-License-Identifier: Apache-2.0
"""Fixtures of a project's own: other apps, several stores, a store that runs already.

storekit_tip_proc = factories.storekit_proc(apps={"com.example.tip": "Tip.storekit"})
storekit_tip = factories.storekit("storekit_tip_proc")
"""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from pytest_openstorekit.errors import StorekitError
from pytest_openstorekit.notifications import Notifications, receiving
from pytest_openstorekit.process import StoreFacts, StoreProcess
from pytest_openstorekit.running import RunningStore
from pytest_openstorekit.settings import Reader
from pytest_openstorekit.store import Storekit


def storekit_proc(
    exec: str | None = None,
    host: str | None = None,
    port: int | None = None,
    apps: Mapping[str, str | os.PathLike[str]] | None = None,
    arguments: tuple[str, ...] | None = None,
    startup_timeout: float | None = None,
) -> Callable[[pytest.FixtureRequest], Iterator[StoreProcess]]:
    """A fixture of the session: a store on a free port. Each process of pytest-xdist has its own.

    `apps` has the configuration files by bundle identifier; the first app is the one under test. An absent argument is
    taken from the command line, such as `--storekit-port`, or from pytest's file, such as `storekit_port`.
    """

    @pytest.fixture(scope="session")
    def storekit_proc(request: pytest.FixtureRequest) -> Iterator[StoreProcess]:
        """A running store, which all tests of this process share."""
        process = StoreProcess(
            Reader(request.config).settings(
                exec=exec,
                host=host,
                port=port,
                apps=apps,
                arguments=arguments,
                startup_timeout=startup_timeout,
            )
        )
        process.start()
        yield process
        process.stop()

    return storekit_proc


def storekit_noproc(
    address: str | None = None, token: str | None = None, bundle_id: str | None = None
) -> Callable[[pytest.FixtureRequest], RunningStore]:
    """A fixture of the session: a store that runs already, such as one in a container.

    It is emptied before each test, so tests that run at the same time need a store each.
    """

    @pytest.fixture(scope="session")
    def storekit_noproc(request: pytest.FixtureRequest) -> RunningStore:
        """A store that was started by others."""
        reader = Reader(request.config)
        place = address or reader.text("address")
        secret = token or reader.text("token") or os.environ.get("OPENSTOREKIT_CONTROL_TOKEN")
        if not place or not secret:
            raise StorekitError(
                "storekit_noproc needs storekit_address, and the token in storekit_token or OPENSTOREKIT_CONTROL_TOKEN."
            )
        return RunningStore(place, secret, bundle_id or reader.bundle_of_running_store())

    return storekit_noproc


def storekit(process_fixture: str) -> Callable[[pytest.FixtureRequest], Storekit]:
    """A fixture of the function: the store of a fixture of the session, emptied before the test."""

    @pytest.fixture
    def storekit(request: pytest.FixtureRequest) -> Storekit:
        """An empty store for one test."""
        process: Any = request.getfixturevalue(process_fixture)
        facts: StoreFacts = process.facts
        store = Storekit(facts)
        store.reset()
        return store

    return storekit


def storekit_notifications(store_fixture: str) -> Callable[[pytest.FixtureRequest], Iterator[Notifications]]:
    """A fixture of the function: the notifications of the app under test from now on."""

    @pytest.fixture
    def storekit_notifications(request: pytest.FixtureRequest) -> Iterator[Notifications]:
        """A server that receives the notifications of the app under test."""
        store: Storekit = request.getfixturevalue(store_fixture)
        with receiving(store) as notifications:
            yield notifications

    return storekit_notifications
