# SPDX-License-Identifier: Apache-2.0
"""Guesses of passwords."""

from concurrent.futures import ThreadPoolExecutor

import samples
import values
import wire
from honest import decide

GUESSES, ADDRESSES, THREADS = values.size(60, 120), 30, 30
ALLOWED = (401, 409, 429, 503)


def guess(attacked, device, emails):
    """Tries a wrong password for each address on one sheet, and returns the answers."""
    sheet, answers = device.sheet(f"guess-{next(samples.NUMBERS)}"), []
    for number, email in enumerate(emails):
        if attacked.honest.failed.is_set():
            break
        answer = decide(attacked.store, sheet, "buy", email, f"guess-{number}", device.source)
        assert answer.status in ALLOWED, f"a guess was answered {answer}"
        wrong = wire.problem(answer)
        assert not wrong, f"a guess {wrong}"
        answers.append(answer)
    return answers


def guesses(attacked, count=GUESSES):
    """Guesses at fresh addresses from many places at the same time."""
    each = count // ADDRESSES

    def one(place):
        device = attacked.device(attacked.address())
        return guess(attacked, device, [f"fresh-{place}-{number}@example.com" for number in range(each)])

    with ThreadPoolExecutor(THREADS) as pool:
        return [answer for answers in pool.map(one, range(ADDRESSES)) for answer in answers]
