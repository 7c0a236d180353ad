# SPDX-License-Identifier: Apache-2.0
"""The attacks in rounds on one store, whose memory must not grow after the first rounds."""

import itertools
import tempfile
import time
import traceback

import floods
import mutations
import passwords
from harness import expect
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


def rounds(seconds, seed):
    """Plays rounds for a number of seconds, and returns the resident memory after each in kilobytes."""
    memory, until = [], time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="hostile.") as folder, attacked_store(folder, files=2048) as attacked:
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
        expect(len(memory) > 1, "there was time for one round only")
        print(f"{len(memory)} rounds: {memory[0] // MEGABYTES} MB resident after the first, "
              f"{memory[-1] // MEGABYTES} MB after the last; {attacked.honest.bought} honest purchases", flush=True)
        # Single rounds differ by tens of megabytes, as the allocator keeps pages; a leak raises the least of them.
        half = len(memory) // 2
        grown = min(memory[half:]) - min(memory[:half])
        expect(grown < GROWTH, f"the least memory of a round grew by {grown // MEGABYTES} MB")
    return memory


def play(seconds, seed):
    """Returns the exit status. The last line is `N passed, N failed`."""
    try:
        rounds(seconds, seed)
        print("1 passed, 0 failed")
        return 0
    except Exception:  # noqa: BLE001: every kind of failure counts
        print(f"failed: {traceback.format_exc()}")
        print("0 passed, 1 failed")
        return 1
