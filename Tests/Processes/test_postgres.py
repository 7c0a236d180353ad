# SPDX-License-Identifier: Apache-2.0
"""A store on PostgreSQL for its operator: errors that name the remedy, a move from SQLite, a server that is stopped
and started again. `scripts/postgres run` provides the cluster.
"""

import os
import secrets
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness import (
    APPLE, ORANGE, PATIENCE, PEAR, ROOT, Market, ask, charged_once_each, complains, owns, press, wait_until)
from processes import BINARIES, Store, free_port, make_database, psql, storectl

pytestmark = pytest.mark.engines("postgresql")

SECRET = "Open-Sesame"


def refused(*arguments, **environment):
    """Runs a verb that must fail, and returns its output."""
    ran = subprocess.run([str(BINARIES / "storectl"), *map(str, arguments)], text=True, capture_output=True,
                         timeout=PATIENCE, stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    said = ran.stdout + ran.stderr
    assert ran.returncode == 1, f"storectl {arguments[0]} ended with {ran.returncode}: {said}"
    assert SECRET not in said, f"the password is in: {said}"
    return said.strip()


def serve(folder, url, *arguments, **environment):
    return refused("serve", "--data", Path(folder) / "store", "--listen", f"127.0.0.1:{free_port()}",
                   "--database", url, *arguments, **environment)


def test_errors_say_what_to_do(folder):
    """A start without a server, with a wrong password, and without a database or rights."""
    database = make_database()
    cluster, name = database.rsplit("/", 1)
    role = f"role_{secrets.token_hex(4)}"
    psql(database, f"CREATE ROLE {role} LOGIN PASSWORD '{SECRET}'")
    theirs = cluster.replace("store@", f"{role}:{SECRET}@") + "/" + name
    try:
        complains(serve(folder, f"postgres://ann:{SECRET}@127.0.0.1:1/fruit"), "127.0.0.1", "Start the server")
        complains(serve(folder, theirs.replace(SECRET, SECRET + "s")), "refuses the password", role)
        complains(serve(folder, f"{cluster}/nobodys"), "nobodys", "createdb")
        psql(database, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        complains(serve(folder, theirs), "CREATE ON SCHEMA public")
        psql(database, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        complains(serve(folder, database), "read-only")
    finally:
        psql(f"{cluster}/postgres", f"DROP DATABASE {name} WITH (FORCE)")
        psql(f"{cluster}/postgres", f"DROP ROLE {role}")


def test_a_newer_store_is_left_alone(folder):
    """A store of a newer version is refused by its migrations."""
    with Market(folder).open() as market:
        market.store.stop()
        psql(market.store.database, "INSERT INTO schema_migration VALUES ('999 wonders', 999)")
        complains(serve(folder, market.store.database), "999 wonders", "newer")


@contextmanager
def open_transaction(url, statement):
    """Another program's transaction, which has run a statement and stays open."""
    process = subprocess.Popen(["psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", url], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        process.stdin.write(f"BEGIN;\n{statement};\n\\echo open\n")
        process.stdin.flush()
        said = process.stdout.readline()
        assert said == "open\n", f"{statement}: {said}"
        yield
    finally:
        # The end of the connection rolls the transaction back.
        process.stdin.close()
        process.wait(timeout=PATIENCE)


def test_a_migration_gives_up_a_lock_of_another_program(folder):
    """A migration that waits for another transaction's lock fails the start, because others queue behind it."""
    with Market(folder).open() as market:
        database = market.store.database
        market.store.stop()
        psql(database, "ALTER TABLE subscription_plan DROP COLUMN contact_bonus;"
             " ALTER TABLE request DROP COLUMN contact; DROP TABLE shared_contact;"
             " DELETE FROM schema_migration WHERE name = '025 shared contacts'")
        with open_transaction(database, "LOCK TABLE request IN ROW EXCLUSIVE MODE"):
            started = time.monotonic()
            said = serve(folder, database)
            took = time.monotonic() - started
        complains(said, "held a lock", "10", "Nothing was changed", "try again")
        assert "\n" not in said, f"not one sentence: {said}"
        assert took > 9, f"the start was refused after {took:.1f} s"
        found = psql(database, "SELECT count(*) FROM schema_migration WHERE name LIKE '025%'").strip()
        assert found == "0", "a part of the migration was committed"
        market.store.serve()
        found = psql(database, "SELECT count(*) FROM schema_migration WHERE name LIKE '025%'").strip()
        assert found == "1", "the next start doesn't migrate"


def test_a_store_moves_from_sqlite(folder):
    """A store with customers and purchases changes its engine; the app isn't affected."""
    with Market(folder) as market:
        postgres, market.store.database = make_database(), None
        market.open()
        app = market.app()
        market.launch(app)
        market.purchase(app, APPLE)
        market.purchase(app, PEAR)
        file = market.store.data / "store.sqlite"
        copy = ("copy", f"sqlite:{file}", postgres)

        complains(refused(*copy), "stop it first")
        market.store.stop()
        complains(refused("copy", f"sqlite:{file}s", postgres), "no file", "store.sqlites")
        # The first try breaks off in the middle: a table of the target takes no rows.
        (market.folder / "empty.sqlite").touch()
        complains(storectl("copy", f"sqlite:{market.folder}/empty.sqlite", postgres), "Copied 0 rows")
        psql(postgres, "ALTER TABLE purchase ADD CONSTRAINT nothing CHECK (false)")
        complains(refused(*copy), "nothing")
        complains(serve(folder, postgres), "broken off", "storectl copy")
        psql(postgres, "ALTER TABLE purchase DROP CONSTRAINT nothing")
        complains(storectl(*copy), "purchase: 2", "ledger_entry: 2", "counts and sums are the same")
        complains(refused(*copy), "isn't empty", "use an empty one")

        market.store.database = postgres
        market.store.serve()
        wait_until("the app has found the store", lambda: owns(app, APPLE))
        market.purchase(app, ORANGE)
        charged_once_each(market.store, APPLE, PEAR, ORANGE)


def test_nodes_share_the_authority(folder):
    """Two nodes with a folder each have one authority, whose private keys are encrypted in the database."""
    key = "OPENSTOREKIT_AUTHORITY_KEY"
    nodes = []
    for name in ("one", "two"):
        (Path(folder) / name).mkdir()
        nodes.append(Store(Path(folder) / name, is_first=True, database=nodes[0].database if nodes else None))
    here = nodes[0].where
    complains(serve(folder, nodes[0].database, **{key: ""}), key, "--authority-key", "openssl rand -hex 32")
    complains(refused("authority", "show", *here), "start the store once")
    try:
        for node in nodes:
            node.serve()
        assert nodes[0].root.read_text() == nodes[1].root.read_text(), "the nodes have two roots"
        assert nodes[0].root.read_text().strip() == storectl("authority", "show", "--pem", *here), (
            "other roots are printed")
        assert not (nodes[0].data / "authority").exists(), "the authority has files"

        shown = storectl("authority", "show", *here)
        storectl("authority", "rotate", "--sandbox", *here)
        assert storectl("authority", "show", *here) != shown, "nothing was rotated"
        roots = storectl("authority", "show", "--pem", *here)
        leaf = next(line.split()[-1] for line in shown.splitlines() if line.startswith("sandbox leaf for receipts"))
        storectl("authority", "revoke", *here, leaf)
        assert roots == storectl("authority", "show", "--pem", *here), "the root has changed"
        wait_until("both nodes have the new leaves", lambda: ask("GET", f"{nodes[0].url}/pki/bundle.pem")
                   == ask("GET", f"{nodes[1].url}/pki/bundle.pem"))

        wrong = {key: secrets.token_hex(32)}
        complains(serve(folder, nodes[0].database, **wrong), "another key", "--authority-key")
        complains(refused("authority", "show", *here, **wrong), "another key")
        complains(refused("authority", "show", *here, "--plain-authority", **{key: ""}), "encrypted")
        rows = nodes[0].rows("SELECT encode(private_key, 'escape') AS key FROM authority_certificate")
        assert rows and not any("PRIVATE KEY" in (row[0] or "") for row in rows), "a private key is readable"

        new = Path(folder) / "new.key"
        new.write_text(secrets.token_hex(32) + "\n")
        storectl("authority", "encrypt", *here, "--new-key", new)
        complains(refused("authority", "show", *here), "another key")
        assert storectl("authority", "show", "--pem", *here, "--authority-key", new) == roots, "another root"
    finally:
        for node in nodes:
            node.kill()


@contextmanager
def own_cluster(folder):
    """A cluster that a scenario may stop: its folder and its URL."""
    cluster = Path(folder) / "cluster"
    script = str(ROOT / "scripts" / "postgres")
    os.chmod(folder, 0o755)
    url = subprocess.run([script, "start", "--no-fsync", str(cluster)], check=True, text=True,
                         capture_output=True, timeout=PATIENCE).stdout.strip()
    try:
        yield cluster, url
    finally:
        subprocess.run([script, "stop", str(cluster)], check=True, timeout=PATIENCE)


@pytest.mark.slow
def test_the_database_goes_away_and_comes_back(folder):
    """While the database is down the store reports that and keeps running; afterwards it works again automatically."""
    with own_cluster(folder) as (cluster, url), Market(folder) as market:
        market.store.database = url
        market.open()
        app = market.app()
        page = market.launch(app)
        market.purchase(app, APPLE)

        pg_ctl(cluster, "--mode", "immediate", "stop")
        # A result is reused for a second: the answer to the start may be younger than that.
        wait_until("the store isn't ready without a database",
                   lambda: ask("GET", f"{market.store.url}/readyz")[0] == 503)
        # Sooner than a request that waits for the database.
        status, text = ask("GET", f"{market.store.url}/healthz", seconds=20)
        assert status == 200, f"health without a database: {status} {text}"
        press(app, "buy", product=PEAR)
        assert not owns(app, PEAR), "bought without a database"

        pg_ctl(cluster, "--log", str(cluster / "log"), "start")
        # The app has repeated its request without being asked.
        status, text = market.customer.buy(market.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until("the pear is there", lambda: owns(app, PEAR))
        page.wait_for("Bought successfully!", count=2)
        charged_once_each(market.store, APPLE, PEAR)
        status, _ = ask("GET", f"{market.store.url}/readyz")
        assert status == 200, f"readiness afterwards: {status}"


def test_by_tls(folder):
    """The server is verified by its certificate; a certificate of another authority is refused."""
    with own_cluster(folder) as (cluster, _):
        port, data, own, other = free_port(), cluster / "data", cluster / "own.pem", Path(folder) / "other.pem"
        for certificate, key in ((own, data / "server.key"), (other, Path(folder) / "other.key")):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2",
                            "-out", certificate, "-keyout", key], check=True, capture_output=True)
            key.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(data / "server.key", data.owner())
            shutil.chown(own, data.owner())
        with open(data / "postgresql.conf", "a") as settings:
            settings.write(f"listen_addresses = 'localhost'\nport = {port}\nssl = on\nssl_cert_file = '{own}'\n")
        with open(data / "pg_hba.conf", "a") as rules:
            rules.write("hostssl all store all trust\n")
        pg_ctl(cluster, "--log", str(cluster / "log"), "restart")

        url = f"postgres://store@localhost:{port}/store?sslmode="
        complains(serve(folder, f"{url}verify-full&sslrootcert={other}"), "no trusted TLS connection", "sslrootcert")
        complains(serve(folder, f"{url}disable"), "localhost")
        with Market(folder) as market:
            market.store.database = f"{url}verify-full&sslrootcert={own}"
            market.open()
            encrypted = psql(market.store.database, "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
                             " WHERE ssl AND application_name = 'openstorekit'")
            assert int(encrypted) > 0, "the store's connections aren't encrypted"


def pg_ctl(cluster, *arguments):
    binaries = subprocess.run([str(ROOT / "scripts" / "postgres"), "binaries"], check=True, text=True,
                              capture_output=True).stdout.strip()
    command = [f"{binaries}/pg_ctl", "--pgdata", str(cluster / "data"), "--wait", "--silent", *arguments]
    if os.geteuid() == 0:
        command = ["runuser", "-u", (cluster / "data").owner(), "--", *command]
    subprocess.run(command, check=True, timeout=PATIENCE, cwd="/", stdout=subprocess.DEVNULL)
