# SPDX-License-Identifier: Apache-2.0
"""Hostile requests to every route, written by hand: one in ten of them, and all with HOSTILE_SHARE=1.

Their answers are compared with the descriptions in OpenAPI.
"""

import itertools
import time

import pytest

import attacks
import field_attacks
import values
from attacked_store import attacked_store
from processes import PATIENCE
from targets import Targets

PARTS = {
    "heads, hosts, credentials and paths": [
        attacks.methods, attacks.heads, attacks.hosts, attacks.credentials, attacks.queries, attacks.pipelines,
        field_attacks.contents, field_attacks.paths],
    "bodies, framing and forms": [attacks.bodies, attacks.framings, field_attacks.forms],
    "every field of every message": [field_attacks.messages],
}


# Faults that the store finds by the same code for all routes, mostly before it chooses one.
SAME = {attacks.methods, attacks.heads, attacks.hosts, attacks.pipelines, attacks.framings}


def some_of(targets):
    """One in three of the targets."""
    return targets[values.CHANCE.randrange(3)::3]


@pytest.mark.slow
@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS.keys())
def test_every_route_refuses_with_a_code(folder, parts):
    """Hostile requests to every route are refused with a code, and never end the store."""
    started = time.monotonic()
    values.CHANCE.seed(1)
    with attacked_store(folder) as attacked:
        # The attack takes all of the processor, for which a purchase waits.
        attacked.honest.limit = PATIENCE
        targets = Targets(attacked)
        store, all_targets, sheets = attacked.store, list(targets.all()), itertools.count()
        page_forms = list(targets.page_forms()) if field_attacks.forms in parts else []

        def new_sheet(asks):
            identifier = f"form-{next(sheets)}"
            if asks == "payments":
                return targets.leaver.sheet(identifier)
            return targets.leaver.sheet_of(asks, identifier)

        def cases():
            for part in parts:
                if part is field_attacks.forms:
                    # The pages' own forms come last: one that is carried out may end a key or a product of the others.
                    chosen = (part(target, store, new_sheet) for target in [*all_targets, *page_forms])
                elif part is field_attacks.paths:
                    chosen = [part(all_targets[0], store)]
                else:
                    chosen = (part(target, store) for target in (
                        values.size(some_of(all_targets), all_targets) if part in SAME else all_targets))
                yield from itertools.chain.from_iterable(chosen)

        with attacked.honest.buying(pause=1):
            count = attacks.play(attacked, list(cases()))
        targets.are_in_force()
        print(f"{count} requests in {time.monotonic() - started:.0f} s", flush=True)
