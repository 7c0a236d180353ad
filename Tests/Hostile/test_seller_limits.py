# SPDX-License-Identifier: Apache-2.0
"""A seller with a full account attacks the limits of docs/seller-costs.md, by the tables of upload_attacks.py and
limit_attacks.py. The tests share a store, in which an honest customer buys."""

import contextlib
import tempfile
import time
from pathlib import Path

import pytest

import limit_attacks
import upload_attacks
import wire
from attacked_store import STRANGER, attacked_store
from connect_console import png
from findings import report
from harness import BUNDLE, wait_until
from selling import Burst, Seller, locked
from streams import ended

pytestmark = pytest.mark.xdist_group("seller limits")
KILOBYTE = 1 << 10
# The most bytes of a refusal, and of the comparison of a file that isn't refused.
LONGEST_REFUSAL, LONGEST_ANSWER = 512 * KILOBYTE, 4096 * KILOBYTE
# How many times the work of an honest file of two megabytes an upload may be.
FACTOR = 10


class Market:
    """A store with teams, which are made when the first test needs them."""

    def __init__(self, attacked):
        self.attacked, self.store, self.honest = attacked, attacked.store, attacked.honest
        self.sellers, self.cost = [], None

    def teams(self, count):
        while len(self.sellers) < count:
            seller = Seller(self.store)
            seller.transaction = seller.buy(STRANGER)
            self.sellers.append(seller)
        return self.sellers[:count]

    @property
    def seller(self):
        return self.teams(1)[0]

    def usual_cost(self):
        """The store's processor time for an honest file of two megabytes."""
        if self.cost is None:
            seller, contents = self.seller, upload_attacks.honest_file()
            before = self.store.processor_time()
            seller.accepted(seller.api("PUT", "apps/:app/file/comparison?name=honest", contents))
            self.cost = self.store.processor_time() - before
        return self.cost


@pytest.fixture(scope="module")
def market():
    with tempfile.TemporaryDirectory(prefix="sellers.") as folder, attacked_store(Path(folder)) as attacked:
        yield Market(attacked)


@pytest.fixture(autouse=True)
def still_sells(market):
    """After each attack the store lives, and an honest customer buys."""
    yield
    market.attacked.still_sells()


FILE, TABLE, ICON = "apps/:app/file/comparison?name=f", "apps/:app/table/comparison?name=t", "apps/:app/icon"
UPLOADS = [
    pytest.param(upload_attacks.FILES, "PUT", FILE, id="files"),
    pytest.param(upload_attacks.TABLES, "PUT", TABLE, id="tables"),
    pytest.param(upload_attacks.BODIES, "PATCH", "apps/:app", id="bodies"),
    pytest.param(upload_attacks.IMAGES, "PUT", ICON, id="images"),
    pytest.param(upload_attacks.PACKAGES, "PUT", "apps/:app/products/:book/content", id="packages"),
    pytest.param(upload_attacks.LARGE_FILES, "PUT", FILE, id="large files", marks=pytest.mark.soak),
    pytest.param(upload_attacks.LARGE_TABLES, "PUT", TABLE, id="large tables", marks=pytest.mark.soak),
    pytest.param(upload_attacks.LARGE_IMAGES, "PUT", ICON, id="large images", marks=pytest.mark.soak),
]
PAUSE = 1  # second between two honest purchases
# The store waits for the database for five seconds, in which a busy machine may not have sent all requests.
ATTEMPTS = 5


@pytest.mark.parametrize(("table", "method", "path"), UPLOADS)
def test_elements_of_uploads_have_limits(market, table, method, path):
    """An upload beyond a limit is refused by a short answer, for little more work than an honest file of two megabytes."""
    seller, most, findings = market.seller, FACTOR * market.usual_cost(), []
    with market.honest.buying(PAUSE):
        for row in table:
            request = seller.api(method, path, row.contents(), headers=[("If-Match", '"1"')])
            before = market.store.processor_time()
            answer = wire.send(market.store, request)
            cost = market.store.processor_time() - before
            if answer.status != row.status or row.answer.encode() not in answer.body:
                findings.append(f"{row.what} was answered {answer}, expected {row.status} {row.answer}")
            if len(answer.body) > (LONGEST_REFUSAL if answer.status >= 400 else LONGEST_ANSWER):
                findings.append(f"{row.what} was answered by {len(answer.body)} bytes")
            if cost > most:
                findings.append(f"{row.what} cost {cost:.1f} s of the processor; an honest file {market.usual_cost():.1f}")
    assert not findings, report(findings)


@pytest.mark.parametrize("row", limit_attacks.PLACES)
def test_requests_have_places(market, row):
    """Of requests that wait for the database as many have places as the limit says; the others are refused meanwhile."""
    teams, early, late = market.teams(row.teams), [], []

    def as_expected():
        return ({answer.status for answer in early} <= {429} and len(early) == len(requests) - row.held
                and {answer.status for answer in late} <= {200, 201, 409, 429}
                and sum(answer.status == 429 for answer in late) == row.refused_later
                and len({answer.body for answer in late if answer.status == 200}) <= row.different)

    for _ in range(ATTEMPTS):
        requests = row.requests(teams)
        early, late = answers_of_waiting(market, requests, len(requests) - row.held)
        if as_expected():
            return
    raise AssertionError(f"{len(early)} were answered meanwhile: {counted(early)}, and {len(late)} later: {counted(late)}")


def answers_of_waiting(market, requests, count):
    """The answers of requests while nothing can be written, as many as have no places, and those afterwards."""
    early = []
    with Burst(market.store, requests) as burst:
        answers = burst.answers()
        with locked(market.store):
            burst.send()
            while len(early) < count and (not early or early[-1].status == 429):
                early.append(next(answers))
            # Reading goes on.
            market.honest.device.answered("queue", bundleIdentifier=BUNDLE)
        return early, list(answers)


def counted(answers):
    return {str(answer): sum(str(other) == str(answer) for other in answers) for answer in answers}


@pytest.mark.parametrize("row", limit_attacks.FILLINGS)
def test_objects_have_numbers(market, row):
    """As many objects as the limit says are made, and the next one is refused."""
    seller = Seller(market.store, plans=0)
    with market.honest.buying(PAUSE), contextlib.closing(wire.KeptConnection(market.store)) as kept:
        for number in range(row.limit):
            answer = kept.send(row.request(seller, number))
            assert answer.status in (200, 201), f"number {number} was answered {answer}"
        answer = kept.send(row.request(seller, row.limit))
        assert answer.status in (400, 429) and row.refusal in answer.body.decode(), f"one too many was answered {answer}"


def test_values_have_limits(market):
    """One request beyond each limit is refused by a short answer."""
    seller, findings = market.seller, []
    with market.honest.buying(PAUSE):
        for row in limit_attacks.REFUSALS:
            answer = wire.send(market.store, row.request(seller))
            if answer.status != row.status or row.answer.encode() not in answer.body:
                findings.append(f"{row.what} was answered {answer}, expected {row.status} {row.answer}")
            if len(answer.body) > LONGEST_REFUSAL:
                findings.append(f"{row.what} was answered by {len(answer.body)} bytes")
    assert not findings, report(findings)


@pytest.mark.parametrize("row", limit_attacks.READINGS)
def test_readings_have_places(market, row):
    """Of 32 requests that read much a few are answered, in a bounded answer, and the others refused."""
    seller = market.seller
    row.begin(seller)
    requests = [row.request(seller, key) for key in ("connect", "connect 2") for _ in range(16)]
    with market.honest.buying(PAUSE), Burst(market.store, requests) as burst:
        burst.send()
        answers = list(burst.answers())
    answered = [answer for answer in answers if answer.status in (200, 201)]
    refused = [answer for answer in answers if answer not in answered]
    assert 1 <= len(answered) <= row.answered, f"{len(answered)} were answered, of at most {row.answered}"
    assert {answer.status for answer in refused} <= {429}, f"they were answered {counted(refused)}"
    longest = max(len(answer.body) for answer in answers)
    assert longest <= LONGEST_ANSWER, f"an answer has {longest} bytes"


def test_live_streams_of_a_user_and_a_team(market):
    """A fifth stream of a user ends the oldest, and a thirteenth of a team is refused."""
    seller = market.seller
    with contextlib.ExitStack() as stack:
        def opened(console):
            connection = stack.enter_context(contextlib.closing(wire.connect(market.store)))
            connection.sendall(seller.page("live/stream", console=console))
            return connection, wire.read_answer(connection)

        users = [seller.console, seller.join("second"), seller.join("third"), seller.join("fourth")]
        streams = [opened(console) for console in users[:3] for _ in range(4)]
        assert all(answer.status == 200 for _, answer in streams), f"the team was answered {counted(a for _, a in streams)}"
        _, refused = opened(users[3])
        assert refused.status == 503 and refused.retry_after, f"a thirteenth stream was answered {refused}"
        _, answer = opened(users[0])
        assert answer.status == 200, f"a fifth stream of a user was answered {answer}"
        wait_until("the oldest stream of the user ends", lambda: ended(streams[0][0]))
        assert not any(ended(connection) for connection, _ in streams[1:]), "another stream has ended"
        with market.honest.buying(PAUSE):
            market.attacked.still_sells()


def test_images_of_an_address_are_counted(market):
    """Three images of five megabytes that don't end fill the memory of an address: the fourth is refused, and one of another
    address is saved."""
    seller, address = market.seller, market.attacked.address()
    request = seller.api("PUT", "apps/:app/icon", bytes(5 << 20))
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(contextlib.closing(wire.connect(market.store, address))) for _ in range(3)]
        for connection in held:
            connection.sendall(request[:-1])
        wait_until("the store has read the images", lambda: market.store.unread(held) == 0)
        answer = wire.send(market.store, request, address)
        assert answer.status == 503 and answer.retry_after, f"a fourth image was answered {answer}"
        icon = seller.api("PUT", "apps/:app/icon", png(1024, 1024))
        answer = wire.send(market.store, icon, market.attacked.address())
        assert answer.status == 200, f"another address was answered {answer}"
        market.attacked.still_sells()


def test_images_of_many_addresses_leave_room(market):
    """Images that don't end, from four addresses, fill the memory for bodies, and customers still buy."""
    request = market.seller.api("PUT", "apps/:app/icon", bytes(5 << 20))
    head = len(request) - (5 << 20)
    with contextlib.ExitStack() as stack:
        held = []
        for address in [market.attacked.address() for _ in range(4)]:
            # The fourth image of an address stops where the address has 16 MiB.
            for size in [len(request) - 1] * 3 + [head + (1 << 20) + 3]:
                held.append(stack.enter_context(contextlib.closing(wire.connect(market.store, address))))
                with contextlib.suppress(ConnectionError):
                    held[-1].sendall(request[:size])
        wait_until("the store has read the images", lambda: market.store.unread(held) == 0)
        market.attacked.still_sells()


def test_packages_of_a_team_that_arrive(market):
    """Of three packages that arrive slowly the team's third is refused, and another team's is received."""
    seller, other = market.teams(2)
    begun = seller.api("PUT", "apps/:app/products/:book/content", b"OSKCONT1" + bytes(1 << 20))[:-(1 << 20)]
    with Burst(market.store, [begun] * 3) as burst:
        burst.send()
        refused = next(burst.answers())
        assert refused.status == 503 and refused.retry_after, f"a third package was answered {refused}"
        answer = wire.send(market.store, other.api("PUT", "apps/:app/products/:book/content", b"PK"))
        assert answer.status == 400, f"another team's package was answered {answer}"
        market.attacked.still_sells()


RATE = 10


@pytest.fixture(scope="module")
def slow_market():
    """A store with a low rate for programs, of two teams, of which one has five apps."""
    with tempfile.TemporaryDirectory(prefix="sellers.") as folder, attacked_store(
            Path(folder), arguments=("--server-api-rate", str(RATE))) as attacked:
        slow = Market(attacked)
        for seller in slow.teams(2):
            seller.others = [f"{seller.app}.n{number}" for number in range(5)]
            for app in seller.others:
                seller.register(app)
        yield slow


@pytest.mark.parametrize("row", limit_attacks.RATES)
def test_programs_have_a_rate(slow_market, row):
    """Requests of a team beyond its rate are refused, and another team's program is answered."""
    seller, other = slow_market.teams(2)
    with slow_market.honest.buying(), contextlib.closing(wire.KeptConnection(slow_market.store)) as kept:
        begun = time.monotonic()
        answers = [kept.send(row.request(seller, number)) for number in range(10 * RATE)]
        allowed = (row.burst + row.per_second * (time.monotonic() - begun)) * RATE + 1
        passed = sum(answer.status in (200, 404) for answer in answers)
        assert passed <= allowed, f"{passed} of {len(answers)} requests were answered, {allowed:.0f} are allowed"
        refused = [answer for answer in answers if answer.status not in (200, 404)]
        assert all(answer.status == 429 and "retry-after" in answer.headers for answer in refused), (
            f"they were answered {counted(refused)}")
        answer = kept.send(row.request(other, 0))
        assert answer.status in (200, 404), f"another team was answered {answer}"
