# SPDX-License-Identifier: Apache-2.0
"""Hostile requests to every route, written by hand."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import attacks
import field_attacks
import wire
from harness import expect
from processes import Failed
from attacked_store import attacked_store
from targets import Targets

THREADS = 6
SHOWN = 25  # findings in a report


def play(attacked, cases, threads=THREADS):
    """Sends all cases and returns their number. Raises `Failed` with the wrong answers."""
    store, findings, lock, played = attacked.store, [], threading.Lock(), 0
    kept = threading.local()

    def send(case):
        """Closes the connection after a request that the store may misunderstand, so that it spoils no other."""
        if case.ends or case.may_hang_up:
            return wire.send(store, case.data, ends=case.ends, seconds=15)
        if not hasattr(kept, "connection"):
            kept.connection = wire.KeptConnection(store, seconds=15)
        return kept.connection.send(case.data)

    def one(case):
        if len(findings) > 200 or store.process.poll() is not None:
            return
        try:
            wrong = wire.problem(send(case), case.may_hang_up)
        except (Failed, OSError, ValueError) as failure:
            wrong = str(failure)
        if wrong:
            with lock:
                findings.append(f"{case.what} {wrong}")
        if store.process.poll() is not None:
            # The last few were sent by several threads: one of them ended the process.
            with lock:
                findings.append(f"{case.what}: the store ended with {store.process.returncode}")

    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(one, cases):
            played += 1
    expect(not findings, f"{len(findings)} of {played} requests:\n" + "\n".join(findings[:SHOWN]))
    attacked.lives()
    return played


def refuses_with_a_code(folder, parts):
    """Hostile requests to every route are refused with a code, and never end the store."""
    started = time.monotonic()
    with attacked_store(folder) as attacked:
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
                    chosen = (part(target, store) for target in all_targets)
                yield from itertools.chain.from_iterable(chosen)

        with attacked.honest.buying(pause=1):
            count = play(attacked, list(cases()))
        targets.are_in_force()
        print(f"{count} requests in {time.monotonic() - started:.0f} s", flush=True)


HEADS = [attacks.methods, attacks.heads, attacks.hosts, attacks.credentials, attacks.queries, attacks.pipelines,
         field_attacks.contents, field_attacks.paths]
BODIES = [attacks.bodies, attacks.framings, field_attacks.forms]


def scenarios():
    yield "every route: heads, hosts, credentials and paths", refuses_with_a_code, {"parts": HEADS}
    yield "every route: bodies, framing, queries and forms", refuses_with_a_code, {"parts": BODIES}
    yield "every route: every field of every message", refuses_with_a_code, {"parts": [field_attacks.messages]}
