# SPDX-License-Identifier: Apache-2.0
"""Random changes of valid requests. HOSTILE_SEED is their seed (default: another one each time)."""

import os
import random

import mutations
from attacked_store import attacked_store
from processes import PATIENCE
from targets import Targets


def test_random_changes_are_answered(folder):
    """Random changes of valid requests never end the store and never make it fail."""
    seed = int(os.environ.get("HOSTILE_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"HOSTILE_SEED={seed}")
    with attacked_store(folder) as attacked:
        attacked.honest.limit = PATIENCE  # The attack takes all of the processor.
        all_targets = list(Targets(attacked).all())
        with attacked.honest.buying(pause=1):
            mutations.attack(attacked, all_targets, seed)
