# SPDX-License-Identifier: Apache-2.0
"""The descriptions in OpenAPI, compared with the code and, by Schemathesis, with a running store.

Arguments choose the scenarios whose names have all of these words; `--examples N` sets the number of generated requests
of each operation, and `--seed N` their seed. The last line is `N passed, N failed`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Hostile"))

import openapi_descriptions  # noqa: E402
import openapi_requests  # noqa: E402
from harness import play_all  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--examples", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    scenarios = [*openapi_descriptions.scenarios(), *openapi_requests.scenarios(chosen.examples, chosen.seed)]
    return play_all(scenarios, chosen.words, workers=2)


if __name__ == "__main__":
    sys.exit(main())
