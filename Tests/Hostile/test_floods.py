# SPDX-License-Identifier: Apache-2.0
"""An honest customer buys during floods of connections and after them, and SIGTERM ends the store."""

import pytest

import floods
from attacked_store import attacked_store

FILES = 1024


@pytest.mark.parametrize("attack", [
    floods.slow_connections, floods.unread_streams, floods.held_bodies, floods.large_bodies,
    floods.bodies_of_one_address, floods.pipelined_requests, floods.everything_at_the_same_time,
], ids=lambda attack: attack.__name__)
def test_a_customer_buys_during_a_flood(folder, attack):
    """A purchase takes the usual time during the flood and after it, while its connections are open."""
    sells_during(folder, attack)


def test_a_customer_buys_although_the_files_are_used_up(folder):
    """More half heads than the store may have files keep no customer waiting."""
    sells_during(folder, floods.half_heads, FILES)


def sells_during(folder, attack, files=None):
    with attacked_store(folder, files) as attacked:
        with attacked.honest.buying():
            attack(attacked)
        assert attacked.open, "the attack held nothing open"
