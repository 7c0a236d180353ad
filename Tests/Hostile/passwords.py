# SPDX-License-Identifier: Apache-2.0
"""Guessing passwords: it neither succeeds, nor does it keep customers from buying."""

import time
from concurrent.futures import ThreadPoolExecutor

import samples
import wire
from harness import EMAIL, PASSWORD, expect
from honest import decide
from processes import Failed
from attacked_store import attacked_store

GUESSES, ADDRESSES, THREADS = 120, 30, 30  # A hash takes half a second of a core in a debug build.
WITHOUT_PAUSE = 6  # seconds
SIGN_IN = 20  # seconds for a customer on a new device, while everything is being guessed
ALLOWED = (401, 409, 429, 503)


def guess(attacked, device, emails):
    """Tries a wrong password for each address on one sheet, and returns the answers."""
    sheet, answers = device.sheet(f"guess-{next(samples.NUMBERS)}"), []
    for number, email in enumerate(emails):
        if attacked.honest.failed.is_set():
            break
        answer = decide(attacked.store, sheet, "buy", email, f"guess-{number}", device.source)
        expect(answer.status in ALLOWED, f"a guess was answered {answer}")
        wrong = wire.problem(answer)
        expect(not wrong, f"a guess {wrong}")
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


def guess_without_pause(attacked, until):
    """Types wrong passwords for the customer's address without a pause, on one sheet after another."""
    answers, device = [], attacked.device(attacked.address())
    while time.monotonic() < until and not attacked.honest.failed.is_set():
        answers += guess(attacked, device, [EMAIL] * 10)
    return answers


def dont_keep_customers_waiting(folder):
    """During 120 guesses at fresh addresses customers sign in and buy, on their device and on a new one."""
    with attacked_store(folder) as attacked:
        fresh = attacked.device()
        with ThreadPoolExecutor(1) as pool, attacked.honest.buying(pause=0.1):
            attack = pool.submit(guesses, attacked)
            sheet, started = fresh.sheet("fresh"), time.monotonic()
            while not attacked.honest.failed.is_set():
                answer = decide(attacked.store, sheet, "buy", EMAIL, PASSWORD, seconds=SIGN_IN + 10)
                took = time.monotonic() - started
                if answer.status == 200:
                    break
                expect(answer.status == 503 and answer.retry_after and took < SIGN_IN,
                       f"signing in on a new device was answered {answer} after {took:.1f} s")
                time.sleep(answer.retry_after)
            expect(took < SIGN_IN, f"signing in on a new device took {took:.1f} s")
            attack.result()


def of_strangers_dont_lock_the_owner_out(folder):
    """A stranger who types wrong passwords for an account keeps neither its owner nor its device from buying."""
    with attacked_store(folder) as attacked:
        answers = guess(attacked, attacked.device(attacked.address()), [EMAIL] * 10)
        with ThreadPoolExecutor(5) as pool, attacked.honest.buying(pause=0.1):
            until = time.monotonic() + WITHOUT_PAUSE
            strangers = [pool.submit(guess_without_pause, attacked, until) for _ in range(5)]
            for stranger in strangers:
                answers += stranger.result()
        refused = [answer for answer in answers if answer.status == 429]
        statuses = sorted({answer.status for answer in answers})
        expect(refused, f"{len(answers)} wrong passwords of one account were answered {statuses}")
        expect(all(answer.retry_after for answer in refused), f"a 429 lacks Retry-After: {refused[0]}")
        looked_at = [answer for answer in answers if answer.status == 401]
        expect(len(looked_at) <= 12, f"{len(looked_at)} wrong passwords of one account were looked at within seconds")


def end_the_sheet(folder):
    """Ten wrong passwords end a sheet, and five of one account are free."""
    with attacked_store(folder) as attacked:
        device = attacked.device(attacked.address())
        sheet, wrong = device.sheet("ten"), 0
        for number in range(16):
            answer = decide(attacked.store, sheet, "buy", f"ten-{number}@example.com", "wrong")
            if answer.status == 409:
                break
            wrong += answer.status == 401
            expect(answer.status in ALLOWED, f"a wrong password was answered {answer}")
            if answer.retry_after:
                time.sleep(min(answer.retry_after, 2))
        expect(answer.status == 409, f"a sheet takes {wrong} wrong passwords and more")
        expect(8 <= wrong <= 10, f"a sheet ended after {wrong} wrong passwords")
        answer = decide(attacked.store, sheet, "buy", EMAIL, PASSWORD)
        expect(answer.status == 409, f"the right password on an ended sheet was answered {answer}")
        first = guess(attacked, attacked.device(attacked.address()), ["five@example.com"] * 5)
        expect(all(answer.status == 401 for answer in first), f"of five free ones: {[str(a) for a in first]}")
        later = guess(attacked, attacked.device(attacked.address()), ["five@example.com"] * 3)
        throttled = [answer for answer in later if answer.status == 429]
        if not throttled:
            raise Failed(f"the sixth and later wrong passwords were answered {[str(answer) for answer in later]}")
        expect(throttled[0].retry_after, "a throttled sign-in has no Retry-After")


def scenarios():
    yield "passwords: guesses at fresh addresses", dont_keep_customers_waiting, {}
    yield "passwords: guesses at a known address", of_strangers_dont_lock_the_owner_out, {}
    yield "passwords: ten wrong ones on a sheet", end_the_sheet, {}
