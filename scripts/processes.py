# SPDX-License-Identifier: Apache-2.0
"""Starts and drives the real processes of the demo and of the Python tests: the store and an app.

Uses only Python's standard library. No function sleeps for a result: each waits for a condition, for a bounded time.
"""

import contextlib
import fcntl
import functools
import hashlib
import http.client
import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# BINARIES can name a copy of the binaries, which is tested while the next ones are built.
BINARIES = Path(os.environ.get("BINARIES") or ROOT / ".build" / "debug")
BUNDLE = "de.tum.in.www1.sgdws13.BuyFruit"
APPLE, PEAR, ORANGE, SEEDS = (f"{BUNDLE}.{fruit}" for fruit in ("Apple", "Pear", "Orange", "Seeds"))
CONFIGURATION = ROOT / "Examples" / "BuyFruit" / "BuyFruit.storekit"
# The seconds after which a wait fails: at least thirty times as long as the conditions take on an idle machine.
PATIENCE = 300
EMAIL, PASSWORD = "tester@example.com", "Fruit-Salad-1"


class Failed(AssertionError):
    """A condition that a check requires doesn't hold."""


def wait_until(what, condition, seconds=PATIENCE):
    """Returns the first true value of `condition()`; raises `Failed` if there is none in time.

    The pauses are as long as the condition takes at least, and grow: the other processes need the processor.
    """
    begun = time.monotonic()
    while True:
        asked = time.monotonic()
        value = condition()
        if value:
            return value
        now = time.monotonic()
        if now - begun > seconds:
            raise Failed(f"waited {seconds} s in vain until {what}")
        time.sleep(max(0.02, now - asked, min(0.1, (now - begun) / 10)))


RESERVATIONS = []  # the open files whose locks reserve ports for this process


def free_port():
    """A port at which nothing listens, reserved for this process, below those that the system gives to clients (Linux:
    from 32768 on).

    A store that is killed therefore finds its port free when it starts again. Without the reservation, another test
    that runs at the same time could take the port before the store listens, and each would talk to the other's store.
    """
    folder = Path(tempfile.gettempdir()) / f"openstorekit-ports.{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    while True:
        port = 20000 + secrets.randbelow(12000)
        reservation = open(folder / str(port), "wb")
        try:
            fcntl.flock(reservation, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as listener:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind(("127.0.0.1", port))
        except OSError:
            reservation.close()
            continue
        RESERVATIONS.append(reservation)
        return port


def ask(method, url, form=None, body=None, accept="*/*", seconds=PATIENCE):
    """Returns status and text of the answer, with any status. Follows redirects, as a browser does."""
    headers = {"Accept": accept}
    data = None
    if form is not None:
        data = urllib.parse.urlencode(form).encode()
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Running:
    """A process that writes its log to a file."""

    def __init__(self, name, log):
        self.name, self.log, self.process = name, Path(log), None

    def start(self, command, environment=None):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in command], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env={**os.environ, **(environment or {})}, cwd=ROOT,
            )

    def wait_for(self, url):
        def answers():
            if self.process.poll() is not None:
                raise Failed(f"{self.name} ended with {self.process.returncode} before it was ready:\n{self.tail()}")
            try:
                return ask("GET", url)[0] == 200
            except (OSError, http.client.HTTPException):
                return False

        try:
            wait_until(f"{self.name} answers at {url}", answers)
        except AssertionError as failed:
            raise Failed(f"{failed}\n{self.tail()}") from None

    def stop(self):
        """Sends SIGTERM, waits for the end, and returns the exit status."""
        if self.process is None or self.process.poll() is not None:
            return self.process and self.process.returncode
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failed(f"{self.name} didn't end when asked:\n{self.tail()}") from None

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def tail(self, lines=20):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""


def make_database(copying=None):
    """Makes a database in the cluster of `scripts/postgres run`, empty or a copy of one without connections. Returns its
    URL; `None` for a store with a file."""
    cluster = os.environ.get("OPENSTOREKIT_POSTGRES")
    if not cluster:
        return None
    # The key that encrypts the private keys in the databases of this run. All processes inherit it.
    os.environ.setdefault("OPENSTOREKIT_AUTHORITY_KEY", secrets.token_hex(32))
    name = f"processes_{secrets.token_hex(8)}"
    template = f" TEMPLATE {copying.rsplit('/', 1)[1]}" if copying else ""
    psql(cluster, f"CREATE DATABASE {name}{template}{' STRATEGY file_copy' if copies_files(cluster) else ''}")
    return f"{cluster.rsplit('/', 1)[0]}/{name}"


@functools.cache
def copies_files(cluster):
    """Returns whether a new database's files are to be copied, without the log of all their pages, which takes twice the
    processor time. It is the only way of versions before 15, which have no word for it."""
    return int(psql(cluster, "SHOW server_version_num")) >= 150000


def psql(url, sql):
    ran = subprocess.run(["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
                          "--command", sql, url], text=True, capture_output=True, timeout=PATIENCE)
    if ran.returncode:
        raise Failed(f"psql: {ran.stderr.strip()}")
    return ran.stdout


class FirstStart:
    """The data of a store that was started once, without an app, was prepared, and ended: later stores begin with a copy.
    RSA keys, the tables and the passwords take most of the processor time of a first start. The data is in the folder that
    FIRST_STARTS names, which all processes of a run of tests share."""

    def __init__(self, public_url, folder, prepare=None):
        """Certificates name the public address of the store that has made them."""
        engine = "postgresql" if os.environ.get("OPENSTOREKIT_POSTGRES") else "sqlite"
        kind = f"{prepare.__module__}.{prepare.__name__} {public_url}" if prepare else public_url
        self.files = Path(folder) / f"{engine}.{hashlib.sha256(kind.encode()).hexdigest()}"
        if not self.files.exists():
            self.make(public_url, prepare)
        self.database = (self.files / "database").read_text() or None

    def make(self, public_url, prepare):
        """Starts a store. Several processes may do so at the same time."""
        made = self.files.with_name(f"{self.files.name}.{secrets.token_hex(8)}")
        made.mkdir()
        store = Store(made, configuration=None, arguments=["--public-url", public_url] if public_url else [],
                      is_first=True, prepare=prepare)
        try:
            store.serve()
            store.stop()
        finally:
            store.kill()
        (made / "database").write_text(store.database or "")
        try:
            made.rename(self.files)
        except OSError:  # Another process was first.
            shutil.rmtree(made)

    def copy_to(self, data):
        data.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copytree(self.files / "store", data)


class Store(Running):
    def __init__(self, folder, configuration=CONFIGURATION, bundle=BUNDLE, arguments=(), is_first=False,
                 database=None, prepare=None):
        """Without a configuration the store has no app. A store that `is_first` makes its tables and its signing
        authority itself, whose certificates name its own address. A database is that of another node; otherwise, the
        store has one of its own. `prepare` is called with the running store after its very first start, once for all
        stores that begin with a copy of it."""
        super().__init__("the store", Path(folder) / "store.log")
        self.data = Path(folder) / "store"
        self.configuration, self.bundle, self.arguments = configuration, bundle, arguments
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        copied = os.environ.get("FIRST_STARTS")
        self.first = FirstStart(self.public_url, copied, prepare) if copied and not is_first and not database else None
        self.prepare = prepare
        self.database = database or make_database(copying=self.first and self.first.database)
        self.copy = self.database  # Another one, which a test may give to the store, isn't prepared.
        self.root = self.data / "roots.pem"  # which the store writes for apps

    @property
    def where(self):
        """The arguments that select this store for a command of storectl."""
        return ["--data", self.data, *(["--database", self.database] if self.database else [])]

    def serve(self, **environment):
        """Starts the store; a new one begins with the data of a first start."""
        is_new = not self.data.exists()
        if self.first and is_new:
            self.first.copy_to(self.data)
        file = ["--configuration", self.configuration, "--bundle-id", self.bundle] if self.configuration else []
        self.start([
            BINARIES / "storectl", "serve", *self.where, "--listen", f"127.0.0.1:{self.port}", *file, *self.arguments,
        ], environment)
        self.wait_for(f"{self.url}/healthz")
        if self.prepare and is_new and not (self.first and self.database == self.copy):
            self.prepare(self)

    @property
    def public_url(self):
        """The address that the store was given for customers; empty if it uses its own."""
        given = [str(argument) for argument in self.arguments]
        return given[given.index("--public-url") + 1] if "--public-url" in given else ""

    def add_account(self, email, password):
        return storectl("account", "add", *self.where, email, "--password-stdin", "--if-missing",
                        given=password + "\n")

    def make_sign_ins_cheap(self, email, password):
        """Gives an account a hash of its password that takes almost no time. A store takes the parameters of scrypt from
        the hash."""
        salt, rounds, size = bytes(16), 2, 8
        key = hashlib.scrypt(password.encode(), salt=salt, n=rounds, r=size, p=1, dklen=32)
        text = f"scrypt${rounds}${size}$1${salt.hex()}${key.hex()}"
        change = "UPDATE account SET password_hash = '{}' WHERE email = '{}'".format(text, email.replace("'", "''"))
        if self.database:
            psql(self.database, change)
        else:
            with contextlib.closing(sqlite3.connect(self.data / "store.sqlite", timeout=PATIENCE)) as file, file:
                file.execute(change)

    def rows(self, query):
        """Runs a query in the store's own database, from outside, and returns the rows."""
        if self.database:
            answer = psql(self.database, f"SELECT row_to_json(answer) FROM ({query}) AS answer")
            return [tuple(json.loads(line, object_pairs_hook=lambda pairs: [value for _, value in pairs]))
                    for line in answer.splitlines()]
        database = sqlite3.connect(f"file:{self.data}/store.sqlite?mode=ro", uri=True, timeout=PATIENCE)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()


def with_customer(store):
    """Prepares a store with the customer's account, whose sign-ins take almost no processor time."""
    store.add_account(EMAIL, PASSWORD)
    store.make_sign_ins_cheap(EMAIL, PASSWORD)


class BuyFruit(Running):
    """A device that runs BuyFruit, with its own STOREKIT_HOME and its own user defaults."""

    def __init__(self, folder, store, name="device", home=None, defaults=None):
        """Pass `home`, and perhaps `defaults`, to make another process of the app on the same device."""
        folder = Path(folder) / name
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(f"BuyFruit on {name}", folder / "buyfruit.log")
        self.home, self.defaults = Path(home or folder / "storekit"), Path(defaults or folder / "home")
        self.defaults.mkdir(exist_ok=True)
        self.caches = self.defaults / "caches"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.receipt = self.home / "apps" / BUNDLE / "StoreKit" / "sandboxReceipt"
        self.store = store

    def launch(self, **environment):
        self.start([BINARIES / "BuyFruit"], {
            "STOREKIT_STORE_URL": self.store.url,
            "STOREKIT_BUNDLE_ID": BUNDLE,
            "STOREKIT_APP_VERSION": "1.0",
            "STOREKIT_HOME": str(self.home),
            "STOREKIT_TRUST": str(self.store.root),
            "HOME": str(self.defaults),
            "XDG_CONFIG_HOME": str(self.defaults),
            "XDG_CACHE_HOME": str(self.caches),
            "XDG_DATA_HOME": str(self.defaults / "data"),
            "BUYFRUIT_PORT": str(self.port),
            **environment,
        })
        self.wait_for(f"{self.url}/")

    def state(self):
        status, text = ask("GET", f"{self.url}/state.json")
        if status != 200:
            raise Failed(f"{self.name} answers {status} to /state.json: {text[:200]}")
        return json.loads(text)


def storectl(*arguments, given=None):
    """Runs a command of storectl and returns its output; raises `Failed` with its message if it fails."""
    ran = subprocess.run([str(BINARIES / "storectl"), *map(str, arguments)], input=given, text=True,
                         capture_output=True, timeout=PATIENCE)
    if ran.returncode:
        raise Failed(f"storectl {arguments[0]} ended with {ran.returncode}: {(ran.stderr or ran.stdout).strip()}")
    return ran.stdout.strip()
