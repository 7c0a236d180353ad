# SPDX-License-Identifier: Apache-2.0
"""A hostile client against a real store.

    test_hostile_client.py [--seed N] [WORD ...]          the scenarios whose names have all of these words
    test_hostile_client.py --seconds 600 [--seed N]       the attacks in rounds for so long, on one store

The last line is `N passed, N failed`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import attacked_store  # noqa: E402: adds the modules of Tests/Processes to the path
import completeness  # noqa: E402
import deadlines  # noqa: E402
import every_route  # noqa: E402
import floods  # noqa: E402
import message_limits  # noqa: E402
import mutations  # noqa: E402
import passwords  # noqa: E402
import soak  # noqa: E402
import store_limits  # noqa: E402
from harness import play_all  # noqa: E402

SEED = 11
WORKERS = 3  # The deadlines wait for a minute; two others play meanwhile.
FILES = 4096


def scenarios(seed):
    # The longest scenarios first.
    yield from deadlines.scenarios()
    yield from passwords.scenarios()
    yield from mutations.scenarios(seed)
    for part in (floods, message_limits, store_limits, completeness):
        yield from part.scenarios()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("words", nargs="*", help="words of the names of scenarios")
    arguments.add_argument("--seconds", type=float, help="play rounds for so long instead")
    arguments.add_argument("--seed", type=int, default=SEED, help=f"of the mutations (default: {SEED})")
    chosen = arguments.parse_args()
    attacked_store.allow_files(FILES)
    if chosen.seconds:
        return soak.play(chosen.seconds, chosen.seed)
    # An attack on every route takes all of two cores: beside two others, an honest purchase waits for the machine.
    return play_all(scenarios(chosen.seed), chosen.words, workers=WORKERS, alone=every_route.scenarios())


if __name__ == "__main__":
    sys.exit(main())
