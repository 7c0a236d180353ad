# SPDX-License-Identifier: Apache-2.0
"""The fixtures of the tests of processes."""

import pytest

from connect_console import set_up
from harness import Market, Store
from laptop import Laptop


@pytest.fixture
def market(folder):
    """A store with an account. Its log and those of its apps appear with the failure of a test."""
    with Market(folder).open() as market:
        yield market
        for process in market.running:
            print(f"--- {process.name}\n{process.tail()}")


@pytest.fixture
def store(folder):
    """A store that runs, and has to end when it is asked. Its log appears with the failure of a test."""
    store = Store(folder)
    try:
        store.serve()
        yield store
    finally:
        print(f"--- {store.name}\n{store.tail()}")
        store.stop()


@pytest.fixture
def console(store):
    """A browser of the account holder of the store's first team."""
    return set_up(store)


@pytest.fixture
def laptop():
    with Laptop() as laptop:
        yield laptop
