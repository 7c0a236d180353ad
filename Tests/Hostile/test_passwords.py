# SPDX-License-Identifier: Apache-2.0
"""Guessing passwords neither succeeds, nor does it keep customers from buying."""

import time
from concurrent.futures import ThreadPoolExecutor

import passwords
import values
from attacked_store import attacked_store
from harness import EMAIL, PASSWORD
from honest import decide
from processes import PATIENCE, Failed

WITHOUT_PAUSE = values.size(3, 6)  # seconds


def guess_without_pause(attacked, until):
    """Types wrong passwords for the customer's address without a pause, on one sheet after another."""
    answers, device = [], attacked.device(attacked.address())
    while time.monotonic() < until and not attacked.honest.failed.is_set():
        answers += passwords.guess(attacked, device, [EMAIL] * 10)
    return answers


def test_guesses_at_fresh_addresses_keep_no_customer_waiting(folder):
    """During many guesses at fresh addresses customers sign in and buy, on their device and on a new one."""
    with attacked_store(folder) as attacked:
        fresh = attacked.device()
        with ThreadPoolExecutor(1) as pool, attacked.honest.buying(pause=0.1):
            attack = pool.submit(passwords.guesses, attacked)
            sheet, started = fresh.sheet("fresh"), time.monotonic()
            while not attacked.honest.failed.is_set():
                answer = decide(attacked.store, sheet, "buy", EMAIL, PASSWORD)
                took = time.monotonic() - started
                if answer.status == 200:
                    break
                assert answer.status == 503 and answer.retry_after and took < PATIENCE, (
                    f"signing in on a new device was answered {answer} after {took:.1f} s")
                time.sleep(answer.retry_after)
            attack.result()


def test_guesses_at_a_known_address_do_not_lock_the_owner_out(folder):
    """A stranger who types wrong passwords for an account keeps neither its owner nor its device from buying."""
    with attacked_store(folder) as attacked:
        answers = passwords.guess(attacked, attacked.device(attacked.address()), [EMAIL] * 10)
        with ThreadPoolExecutor(5) as pool, attacked.honest.buying(pause=0.1):
            until = time.monotonic() + WITHOUT_PAUSE
            strangers = [pool.submit(guess_without_pause, attacked, until) for _ in range(5)]
            for stranger in strangers:
                answers += stranger.result()
        refused = [answer for answer in answers if answer.status == 429]
        statuses = sorted({answer.status for answer in answers})
        assert refused, f"{len(answers)} wrong passwords of one account were answered {statuses}"
        assert all(answer.retry_after for answer in refused), f"a 429 lacks Retry-After: {refused[0]}"
        looked_at = [answer for answer in answers if answer.status == 401]
        assert len(looked_at) <= 12, f"{len(looked_at)} wrong passwords of one account were looked at within seconds"


def test_ten_wrong_passwords_end_a_sheet(folder):
    """Ten wrong passwords end a sheet, and five of one account are free."""
    with attacked_store(folder) as attacked:
        device = attacked.device(attacked.address())
        sheet, wrong = device.sheet("ten"), 0
        for number in range(16):
            answer = decide(attacked.store, sheet, "buy", f"ten-{number}@example.com", "wrong")
            if answer.status == 409:
                break
            wrong += answer.status == 401
            assert answer.status in passwords.ALLOWED, f"a wrong password was answered {answer}"
            if answer.retry_after:
                time.sleep(min(answer.retry_after, 2))
        assert answer.status == 409, f"a sheet takes {wrong} wrong passwords and more"
        assert 8 <= wrong <= 10, f"a sheet ended after {wrong} wrong passwords"
        answer = decide(attacked.store, sheet, "buy", EMAIL, PASSWORD)
        assert answer.status == 409, f"the right password on an ended sheet was answered {answer}"
        first = passwords.guess(attacked, attacked.device(attacked.address()), ["five@example.com"] * 5)
        assert all(answer.status == 401 for answer in first), f"of five free ones: {[str(a) for a in first]}"
        later = passwords.guess(attacked, attacked.device(attacked.address()), ["five@example.com"] * 6)
        throttled = [answer for answer in later if answer.status == 429]
        if not throttled:
            raise Failed(f"the sixth and later wrong passwords were answered {[str(answer) for answer in later]}")
        assert throttled[0].retry_after, "a throttled sign-in has no Retry-After"
