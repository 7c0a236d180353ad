# SPDX-License-Identifier: Apache-2.0
"""The attacks in rounds on one store, whose memory must not grow after the first rounds. `make soak` runs them.

HOSTILE_SECONDS is how long the rounds last (default: 600), and HOSTILE_SEED the seed of the first one's random changes
(default: 11).
"""

import itertools
import os
import time

import pytest

import floods
import mutations
import passwords
from attacked_store import MEGABYTES, attacked_store
from targets import Targets

GROWTH = 64 * MEGABYTES  # of the least memory in the second half of the rounds over the first half
ROUND = [
    ("slow connections", lambda attacked: floods.slow_connections(attacked, 200, 5)),
    ("half heads", floods.half_heads),
    ("held bodies", floods.held_bodies),
    ("unread streams", lambda attacked: floods.unread_streams(attacked, 100)),
    ("large bodies", lambda attacked: floods.large_bodies(attacked, 60)),
    ("guesses", lambda attacked: passwords.guesses(attacked, 60)),
]


@pytest.mark.soak
def test_rounds_of_attacks_leave_the_memory_as_it_is(folder):
    """The attacks in rounds end no store and keep no customer from buying, and its memory doesn't grow."""
    seconds, seed = float(os.environ.get("HOSTILE_SECONDS", 600)), int(os.environ.get("HOSTILE_SEED", 11))
    memory, until = [], time.monotonic() + seconds  # memory: in kilobytes, after each round
    with attacked_store(folder, files=2048) as attacked:
        all_targets = list(Targets(attacked).all())
        for number in itertools.count():
            for name, attack in ROUND:
                try:
                    with attacked.honest.buying():
                        attack(attacked)
                except Exception as failure:
                    raise type(failure)(f"round {number}, {name}: {failure}") from failure
            mutations.attack(attacked, all_targets, seed + number, 1000)
            attacked.close()
            attacked.still_sells()
            memory.append(attacked.store.kilobytes("VmRSS"))
            print(f"round {number}, seed {seed + number}: {memory[-1] // MEGABYTES} MB resident, "
                  f"{attacked.honest.bought} honest purchases", flush=True)
            if time.monotonic() > until:
                break
        floods.everything_at_the_same_time(attacked)  # SIGTERM has to end the store in spite of them.
        assert len(memory) > 1, "there was time for one round only"
        print(f"{len(memory)} rounds: {memory[0] // MEGABYTES} MB resident after the first, "
              f"{memory[-1] // MEGABYTES} MB after the last; {attacked.honest.bought} honest purchases", flush=True)
        # Single rounds differ by tens of megabytes, as the allocator keeps pages; a leak raises the least of them.
        half = len(memory) // 2
        grown = min(memory[half:]) - min(memory[:half])
        assert grown < GROWTH, f"the least memory of a round grew by {grown // MEGABYTES} MB"
