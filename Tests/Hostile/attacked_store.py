# SPDX-License-Identifier: Apache-2.0
"""A store under attack: its process and memory, an honest customer, strangers, and its end by SIGTERM."""

import contextlib
import itertools
import resource
import signal
import subprocess
import time
from pathlib import Path

import wire
from harness import EMAIL, PASSWORD, Failed, Store
from honest import HonestCustomer, HonestDevice

STRANGER, STRANGERS_PASSWORD = "stranger@example.com", "Vegetables-2"
SUBJECT = "subject@example.com"  # the account that strangers change by the control routes
# The seconds in which SIGTERM ends the store. It gives requests seven, and connections that stop halfway would last
# thirty.
END = 25
MEGABYTES = 1 << 10  # /proc counts in kilobytes


class LimitedStore(Store):
    """A store with a limit of open files, whose use of the machine is measured."""

    files = None

    def start(self, command, environment=None):
        if self.files:
            command = ["sh", "-c", f'ulimit -n {self.files} && exec "$@"', "store", *command]
        super().start(command, environment)

    def kilobytes(self, name):
        """Returns `VmRSS`, the resident memory, or `VmHWM`, its maximum, in kilobytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
        raise Failed(f"/proc says nothing of {name}")

    def processor_time(self):
        """The seconds that the process has computed, which don't depend on other processes of the machine."""
        clock = (~self.process.pid << 3) | 2  # of all threads of the process: clock_getcpuclockid(3)
        return time.clock_gettime(clock)

    def connections(self):
        """Yields the local port, the remote port, the state and the queues, sent and received, of each TCP socket."""
        for line in Path(f"/proc/{self.process.pid}/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, state, queues = line.split()[:5]
            yield (*(int(address.split(":")[1], 16) for address in (local, remote)), state,
                   *(int(size, 16) for size in queues.split(":")))

    def still_has(self, connection):
        """Whether the store's side of a connection is open. Reads nothing from the connection."""
        port = connection.getsockname()[1]
        for local, remote, state, _, _ in self.connections():
            if (local, remote) == (self.port, port):
                return state in ("01", "08")  # ESTABLISHED, CLOSE_WAIT
        return False

    def unread(self, connections):
        """The number of bytes that were sent on some connections and that the store hasn't read."""
        ports = {connection.getsockname()[1] for connection in connections}
        unread = 0
        for local, remote, _, sent, received in self.connections():
            if local in ports and remote == self.port:
                unread += sent  # They aren't acknowledged yet.
            if local == self.port and remote in ports:
                unread += received
        return unread


class AttackedStore:
    """A running store with an honest customer, who has bought before, and strangers with an account of their own."""

    def __init__(self, store):
        self.store = store
        self.honest = HonestCustomer(store)
        self.open = []
        self.addresses = itertools.count(2)

    def address(self):
        """A network address that no stranger has used before."""
        number = next(self.addresses)
        return f"127.0.{number // 250}.{number % 250 + 1}"

    def device(self, source=None):
        return HonestDevice(self.store, source).register()

    def hold(self, connection):
        """Keeps a connection open until the store has ended."""
        self.open.append(connection)
        return connection

    def lives(self):
        if self.store.process.poll() is not None:
            raise Failed(f"the store ended with {self.store.process.returncode}:\n{self.store.tail(8)}")
        answer = wire.ask(self.store, "GET", "/healthz", seconds=self.honest.limit)
        assert answer.status == 200, f"/healthz was answered {answer}"

    def still_sells(self):
        """Requires a living process, an honest purchase in time, and a log without unexpected errors."""
        self.lives()
        took = self.honest.purchase()
        assert took <= self.honest.limit, f"an honest purchase took {took:.1f} s of {self.honest.limit:.1f} s"
        surprises = [line for line in self.store.log.read_text(errors="replace").splitlines()
                     if "unexpected error" in line or "Fatal error" in line]
        assert not surprises, f"the store's log has {len(surprises)} unexpected errors: {surprises[:3]}"

    def ends(self):
        """Ends the process by SIGTERM, and requires that it ends in time although connections are held open."""
        process = self.store.process
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(timeout=END)
        except subprocess.TimeoutExpired:
            raise Failed(f"the store still runs {END} s after SIGTERM, {len(self.open)} connections open") from None
        assert status == 0, f"the store ended with {status} after SIGTERM"
        return time.monotonic() - started

    def close(self):
        for connection in self.open:
            connection.close()
        self.open.clear()


def allow_files(count):
    """Raises this process' limit of open files to the number that the attack needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard == resource.RLIM_INFINITY or hard >= count, f"this test needs {count} files; the limit is {hard}"
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def add_accounts(store):
    store.add_account(EMAIL, PASSWORD)
    store.add_account(STRANGER, STRANGERS_PASSWORD)
    store.add_account(SUBJECT, STRANGERS_PASSWORD)


def with_strangers(store):
    """Prepares a store with the accounts. The stranger's sign-ins take almost no time: thousands of attacks make them."""
    add_accounts(store)
    store.make_sign_ins_cheap(STRANGER, STRANGERS_PASSWORD)


@contextlib.contextmanager
def attacked_store(folder, files=None, arguments=()):
    """Runs a store to attack. It must survive the attack and end on SIGTERM; after a failure its log is shown."""
    store = LimitedStore(folder, arguments=arguments, prepare=with_strangers)
    store.files = files
    attacked = None
    try:
        # The backtrace of a store that traps would take longer than the whole test.
        store.serve(SWIFT_BACKTRACE="enable=no")
        attacked = AttackedStore(store)
        yield attacked
        attacked.still_sells()
        attacked.ends()
    except Exception:
        print(f"--- {store.name}\n{store.tail(8)}", flush=True)
        raise
    finally:
        if attacked:
            attacked.close()
        store.kill()
