# SPDX-License-Identifier: Apache-2.0
"""`storectl serve` with unusable arguments and files: an exit status, one sentence, and nothing changed."""

import json
import os
import signal
import sqlite3
import subprocess
from pathlib import Path

from failing_start import CATALOGUE, listener, serve
from harness import APPLE, BUNDLE, EMAIL, PASSWORD, PATIENCE, Device, Failed, Store, ask, complains
from processes import BINARIES, CONFIGURATION, free_port, storectl


def catalogue(store):
    tables = ("app", "product", "product_localization", "product_price", "subscription_group", "subscription_plan")
    return [sorted(store.rows(f"SELECT * FROM {table}")) for table in tables]


def test_a_port_in_use(folder):
    """A store that can't listen changes nothing of the one that does."""
    store = Store(folder)
    other = Path(folder) / "other.storekit"
    product = {"productID": "other", "type": "Consumable", "displayPrice": "1", "localizations": []}
    other.write_text(json.dumps({"products": [product]}))
    try:
        store.serve()
        before = catalogue(store)
        address = f"127.0.0.1:{store.port}"
        for data in (Path(folder) / "elsewhere", store.data):
            said = serve("--data", data, "--listen", address, "--configuration", other, "--bundle-id", BUNDLE, status=1)
            complains(said, address.replace(".", r"\."), "in use", "--listen")
        assert catalogue(store) == before, "a store that couldn't start has changed the catalogue of the one that runs"
        assert ask("GET", f"{store.url}/healthz")[0] == 200, "the running store doesn't answer any more"
        status, answer = Device(store).register().products(APPLE)
        assert status == 200 and len(answer["products"]) == 1, f"the running store lists {answer}"
    finally:
        store.kill()


def test_wrong_command_lines(folder):
    """Each is refused with words that name the option, and no folder is made."""
    data = Path(folder) / "data"
    wrong = [
        (["--listen", "nonsense"], ["HOST:PORT", "nonsense"]),
        (["--listen", "127.0.0.1:0"], ["HOST:PORT"]),
        (["--listen", "127.0.0.1:65536"], ["HOST:PORT"]),
        (["--metrics-listen", "9090"], ["--metrics-listen", "HOST:PORT", "9090"]),
        (["--bundle-id", BUNDLE], ["--bundle-id", "--configuration"]),
        (["--configuration", CONFIGURATION], ["--bundle-id", "--configuration"]),
        (["--database", "mysql://root:sesame@localhost/fruit"], ["sqlite:PATH"]),
        ([*CATALOGUE, *CATALOGUE], ["--bundle-id", BUNDLE.replace(".", r"\."), "twice"]),
        (["--allow-host", "http://store"], ["--allow-host", "http://store"]),
        (["--public-url", "store.example"], ["--public-url", "https://store.example", '"store.example"']),
        (["--public-url", "ftp://store.example"], ["--public-url", "ftp://store.example"]),
        (["--public-url", "https://store.example?a=b"], ["--public-url", "a=b"]),
        (["--shared-secret", "com.a=file", "--no-shared-secret", "com.a"], ["--no-shared-secret", "exclude", "com.a"]),
        (["--max-connections", "15"], ["--max-connections"]),
        (["--trusted-proxy", "proxy.example"], ["--trusted-proxy", "proxy.example"]),
        (["--max-connections", "many"], ["--max-connections", "many"]),
        (["--keep", "events"], ["--keep", "NAME=DAYS"]),
        (["--keep", "ledger=1"], ["--keep", "ledger", "lost-devices"]),
        (["--keep", "requests=6"], ["--keep requests", "7 to 36500"]),
        (["--keep", "events=ten"], ["--keep events", "ten"]),
        (["--keep", "events=1", "--keep", "events=2"], ["--keep", "events twice"]),
        (["--frobnicate"], ["--frobnicate"]),
        (["--data"], ["--data"]),
    ]
    for arguments, words in wrong:
        said = serve("--data", data, *arguments, status=64)
        complains(said, *words)
        assert "sesame" not in said, f"a password is in: {said}"
    assert not data.exists(), "a command line that can't be understood has made a folder"


def test_addresses_that_cannot_be_listened_at(folder):
    """Addresses that have the right form and can't be listened at."""
    for address in ("192.0.2.1:8080", "no-such-host.invalid:8080"):
        said = serve("--data", Path(folder) / "data", "--listen", address, status=1)
        complains(said, address.partition(":")[0], "--listen")
        said = serve("--data", Path(folder) / "data", *listener(), "--metrics-listen", address, status=1)
        complains(said, address.partition(":")[0], "--metrics-listen")


GOOD = {
    "productID": "fruit.Fig", "type": "NonConsumable", "displayPrice": "0.99", "referenceName": "Fig",
    "localizations": [{"locale": "en_US", "displayName": "Fig", "description": "Sweet"}],
}


def wrong_configurations():
    """Yields the fault, the file's contents, and the words that the sentence must have beside the file's name."""
    def fig(**changes):
        product = {**GOOD, **changes}
        return {"products": [{key: value for key, value in product.items() if value is not None}]}

    yield "not JSON", "{ products: [", ["JSON"]
    yield "empty", "", ["JSON"]
    yield "bad UTF-8", b'{"products": ["\xff\xfe"]}', ["JSON"]
    yield "a list", [GOOD], ["object"]
    yield "products is no list", {"products": GOOD}, ["products", "list"]
    yield "a product is no object", {"products": ["fig"]}, [r"products\[0\]", "object"]
    yield "unknown type", fig(type="Vegetable"), [r"fruit\.Fig", "type", "Vegetable", "NonConsumable"]
    yield "no type", fig(type=None), [r"fruit\.Fig", "type", "missing"]
    yield "no identifier", fig(productID=None), [r"products\[0\]", "productID", "missing"]
    yield "empty identifier", fig(productID=""), [r"products\[0\]", "productID", "empty"]
    yield "identifier of 256 bytes", fig(productID="x" * 256), [r"products\[0\]", "productID", "255 bytes"]
    yield "blank identifier", fig(productID=" "), [r"products\[0\]", "productID", "empty|blank"]
    yield "identifier is a number", fig(productID=7), [r"products\[0\]", "productID", "string"]
    yield "the same identifier twice", {"products": [GOOD, {**GOOD, "type": "Consumable"}]}, [
        r"products\[1\]", "productID", r"fruit\.Fig", "twice"]
    yield "the same identifier in both lists", {
        "products": [GOOD], "nonRenewingSubscriptions": [{**GOOD, "type": "NonRenewingSubscription"}]}, [
        r"nonRenewingSubscriptions\[0\]", "productID", r"fruit\.Fig", "twice"]
    for price in ("cheap", "", "0,99", "1e3", "-1", "0.9999", "NaN", "99999999999999999999"):
        yield f'price "{price}"', fig(displayPrice=price), [r"fruit\.Fig", "displayPrice"]
    yield "price is a number", fig(displayPrice=0.99), [r"fruit\.Fig", "displayPrice", "string"]
    yield "no price", fig(displayPrice=None), [r"fruit\.Fig", "displayPrice", "missing"]
    yield "localization without a name", fig(localizations=[{"locale": "en_US", "description": "Sweet"}]), [
        r"fruit\.Fig", r"localizations\[0\]", "displayName", "missing"]

    def metal(**changes):
        product = {**GOOD, "productID": "gold", "type": "RecurringSubscription", "groupNumber": 1,
                   "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "metals", **changes}
        return {"subscriptionGroups": [{"id": "metals", "name": "Metals", "subscriptions": [product]}]}

    gold = r"subscriptionGroups\[0\]\.subscriptions\[0\] \(gold\)"
    yield "unknown period", metal(recurringSubscriptionPeriod="P1D"), [gold, "recurringSubscriptionPeriod", "P1M, P2M"]
    yield "level 0", metal(groupNumber=0), [gold, "groupNumber", "level"]
    yield "another group", metal(subscriptionGroupID="wood"), [gold, "subscriptionGroupID", "wood"]
    yield "no type of a group", metal(type="Consumable"), [gold, "type", "RecurringSubscription"]
    yield "a group without an identifier", {"subscriptionGroups": [{"subscriptions": []}]}, [
        r"subscriptionGroups\[0\]", "id", "missing"]
    yield "two localizations of a locale", fig(localizations=GOOD["localizations"] * 2), [
        r"fruit\.Fig", "localizations", "en_US", "twice"]


def test_wrong_storekit_configuration_files(folder):
    """The sentence names the file and the place of the fault, and the catalogue stays as it is."""
    folder = Path(folder)
    store = Store(folder)
    try:
        store.serve()
    finally:
        store.stop()
    before = catalogue(store)
    good = folder / "good.storekit"
    good.write_text(json.dumps({"products": [GOOD]}))
    problems = []

    def check(name, file, words, *others):
        try:
            said = serve("--data", store.data, *listener(), *others, "--configuration", file, "--bundle-id",
                         "com.example.other", status=1)
            complains(said, file.name.replace(".", r"\."), *words)
            assert catalogue(store) == before, "the catalogue has changed"
        except AssertionError as failed:
            problems.append(f"{name}: {failed}")

    check("no such file", folder / "nowhere.storekit", ["read"])
    # A good file isn't imported beside a wrong one.
    beside = ("--configuration", good, "--bundle-id", BUNDLE)
    (folder / "folder.storekit").mkdir()
    check("a folder", folder / "folder.storekit", ["read"], *beside)
    for name, contents, words in wrong_configurations():
        file = folder / "wrong.storekit"
        file.write_bytes(
            contents if isinstance(contents, bytes) else
            (contents if isinstance(contents, str) else json.dumps(contents)).encode())
        check(name, file, words, *beside)
    assert not problems, "\n".join(problems)


def test_changes_of_the_catalogue(folder):
    """The output of the store's starts about the files, and about products that were edited in between."""
    store = Store(folder)
    store.configuration = Path(folder) / "shop.storekit"
    fig = GOOD["productID"]
    groups = [{"id": "metals", "name": "Metals", "subscriptions": [
        {**GOOD, "productID": metal, "type": "RecurringSubscription", "groupNumber": level,
         "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "metals", "billingPlans": [{"isEnabled": True}]}
        for level, metal in enumerate(("gold", "silver"), start=1)]}]

    def start(price, *arguments):
        """Starts the store with a file and options, and returns this start's output about the file."""
        document = {"products": [{**GOOD, "displayPrice": price}], "subscriptionGroups": groups}
        store.configuration.write_text(json.dumps(document))
        store.stop()
        store.arguments = arguments
        before = len(store.log.read_text()) if store.log.exists() else 0
        store.serve()
        return [line for line in store.log.read_text()[before:].splitlines() if "shop.storekit: " in line]

    def says(lines, *words):
        unused = [line for line in lines if "billing plans aren't sold yet" in line]
        assert len(unused) == 2 and "(gold)" in unused[0] and "(silver)" in unused[1], f"it says {lines}"
        # Said with the changes, and not at each start.
        rounded = [line for line in lines if "rounded in those without decimals" in line]
        assert len(rounded) == (1 if words else 0), f"it says {lines}"
        rest = [line for line in lines if line not in unused + rounded]
        assert len(rest) == (1 if words else 0), f"it says {rest}"
        if words:
            complains(rest[0], *words)

    try:
        lines = start("1.99")
        for word in ("group metals: added", "gold: added", "silver: added"):
            assert len([line for line in lines if word in line]) == 1, f"it says {lines}"
        says([line for line in lines if "group metals" not in line
              and "gold: added" not in line and "silver: added" not in line], f"{fig}: added", "1\\.99")
        says(start("1.99"))
        says(start("2.99"), f"{fig}: changed: price from 1\\.99 to 2\\.99")
        said = storectl("product", "price", "--data", store.data, BUNDLE, fig, "--storefront", "DEU", "3.99")
        assert said == f"{fig} costs 3.99 EUR in DEU.", said
        said = storectl("product", "price", "--data", store.data, BUNDLE, fig, "5")
        assert said == f"{fig} costs 5.00.", said
        says(start("4.99"), f"{fig}: left alone", "--overwrite-edits")
        says(start("4.99"))
        says(start("4.99", "--overwrite-edits"), f"{fig}: changed: price from 5\\.00 to 4\\.99", "DEU")
        for wrong in (["-1"], ["--", "-1"], ["one"], ["1", "--storefront", "XYZ"], ["--remove"], []):
            try:
                storectl("product", "price", "--data", store.data, BUNDLE, fig, *wrong)
            except AssertionError:
                continue
            raise Failed(f"product price takes {wrong}")
    finally:
        store.kill()


def contents(file):
    """The contents of a database as SQL: opening a database may change its bytes."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return list(database.iterdump())
    finally:
        database.close()


def test_a_setting_that_has_no_effect(folder):
    """The start names the setting, and the products are sold."""
    store = Store(folder)
    store.configuration = Path(folder) / "shop.storekit"
    store.configuration.write_text(json.dumps({"products": [GOOD], "settings": {"_timeRate": 6}}))
    try:
        store.serve()
        lines = [line for line in store.log.read_text().splitlines() if "shop.storekit: " in line]
        line = "shop.storekit: settings._timeRate: this setting has no effect in a served store."
        assert len([found for found in lines if found.endswith(line)]) == 1, f"serve says {lines}"
        status, answer = Device(store).register().products(GOOD["productID"])
        assert status == 200 and len(answer["products"]) == 1, f"the store lists {answer}"
    finally:
        store.kill()


def test_a_database_of_a_newer_version(folder):
    """It is refused by the start and by a command, and isn't changed."""
    store = Store(folder)
    store.serve()
    store.add_account(EMAIL, PASSWORD)
    store.stop()
    file = store.data / "store.sqlite"
    database = sqlite3.connect(file)
    database.execute("INSERT INTO schema_migration (name, applied) VALUES ('999 from the future', 999)")
    database.execute("CREATE TABLE from_the_future (fruit TEXT)")
    database.commit()
    database.close()
    before = contents(file)
    complains(serve("--data", store.data, *listener(), *CATALOGUE, status=1), "newer", "999 from the future")
    ran = subprocess.run(
        [BINARIES / "storectl", "account", "add", "--data", store.data, "a@example.com", "--password-stdin"],
        input="Fruit-Salad-1\n", capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 1, f"account add ended with {ran.returncode} on a newer database"
    complains(ran.stderr, "newer")
    assert contents(file) == before, "the newer database has changed"


def test_a_database_that_is_none(folder):
    """A file that isn't a database is refused, and isn't changed."""
    data = Path(folder) / "data"
    data.mkdir(mode=0o700)
    file = data / "store.sqlite"
    for contents in (b"fruit salad, and no database\n" * 200, b"SQLite format 3\0" + bytes(range(256)) * 64):
        file.write_bytes(contents)
        said = serve("--data", data, *listener(), *CATALOGUE, status=1)
        complains(said, str(file), "SQLite database", "backup")
        assert file.read_bytes() == contents, "the file has changed"
    file.unlink()
    file.mkdir()
    complains(serve("--data", data, *listener(), *CATALOGUE, status=1), str(file))


def test_a_data_folder_that_cannot_be_made(folder):
    """The sentence names the folder and the option."""
    file = Path(folder) / "file"
    file.write_text("in the way\n")
    for data in (file, file / "below", Path("/proc/nowhere")):
        complains(serve("--data", data, *listener(), *CATALOGUE, status=1), str(data), "--data")
    assert file.read_text() == "in the way\n", "the file in the way has changed"
    # The environment of the default folder may be unusable, too.
    complains(serve(*listener(), status=1, HOME=str(file), XDG_DATA_HOME=""), str(file), "--data")


def test_a_data_folder_that_others_can_enter(folder):
    """A folder that other users can enter is closed to them, and so are the files in it."""
    store = Store(folder)
    store.data.mkdir(mode=0o755)
    (store.data / "authority").mkdir(mode=0o755)
    previous = os.umask(0)
    try:
        store.serve()
    finally:
        os.umask(previous)
    try:
        assert store.data.stat().st_mode & 0o777 == 0o700, "others can enter the folder"
        complains(store.tail(), "open to other users")
        secrets = [store.data / "control.token", *store.data.glob("authority/**/*.key*")]
        assert len(secrets) > 3, f"no keys were found: {secrets}"
        for file in secrets:
            assert file.stat().st_mode & 0o777 == 0o600, f"{file.name} has the rights {oct(file.stat().st_mode)}"
    finally:
        store.kill()


def test_a_crash(folder):
    """A crash ends the store without a backtrace, which takes seconds and writes memory into the log."""
    store = Store(folder)
    store.serve()
    for number in (signal.SIGILL, signal.SIGSEGV):
        store.process.send_signal(number)
        status = store.process.wait(timeout=PATIENCE)
        assert status == -number, f"the store ended with {status}"
        assert "Thread 0" not in store.tail(200) and "Backtrace" not in store.tail(200), f"a backtrace: {store.tail()}"
        store.serve()
    store.kill()


def test_metrics(folder):
    """/metrics is on the store's own address while it is this machine's, and at --metrics-listen otherwise."""
    store = Store(folder)
    try:
        store.serve()
        status, text = ask("GET", f"{store.url}/metrics")
        assert status == 200 and "openstorekit_build_info{" in text, f"/metrics was answered {status}: {text[:200]}"
        assert 'route="/healthz",method="GET",status="200"' in text, f"the health checks aren't counted: {text}"
        store.kill()

        store.arguments = ("--public-url", "https://store.example")
        store.serve()
        assert ask("GET", f"{store.url}/metrics")[0] == 404, "a store for strangers shows its metrics to a proxy"
        store.kill()

        port = free_port()
        store.arguments = ("--public-url", "https://store.example", "--metrics-listen", f"127.0.0.1:{port}")
        store.serve()
        store.wait_for(f"http://127.0.0.1:{port}/metrics")
        assert ask("GET", f"{store.url}/metrics")[0] == 404, "the store's own address shows its metrics too"
        assert ask("GET", f"http://127.0.0.1:{port}/healthz")[0] == 404, "the address for metrics shows something else"
        said = serve("--data", Path(folder) / "other", *listener(), "--metrics-listen", f"127.0.0.1:{port}", status=1)
        complains(said, "in use", "--metrics-listen")
    finally:
        store.kill()
