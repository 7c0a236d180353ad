# SPDX-License-Identifier: Apache-2.0
"""`storectl catalogue` with a store that runs and with one that doesn't."""

import json
import subprocess
from pathlib import Path

import pytest

from harness import BUNDLE, PATIENCE, Device, Store, complains
from processes import BINARIES, storectl

FIG = {"displayPrice": "0.99", "internalID": "AE10D05D", "localizations": [], "productID": "fig",
       "referenceName": "Fig", "type": "NonConsumable", "wonder": [1.50, None]}
GOLD = {"displayPrice": "9.99", "groupNumber": 1, "localizations": [], "productID": "gold",
        "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "metals", "type": "RecurringSubscription"}


def document(price="0.99", **changes):
    return {"products": [{**FIG, "displayPrice": price, **changes}],
            "subscriptionGroups": [{"id": "metals", "localizations": [], "name": "Metals", "subscriptions": [GOLD]}],
            "version": {"major": 6, "minor": 3}}


def catalogue(verb, store, *arguments):
    """Runs a command for the store of a folder, and returns its exit status, output and errors."""
    ran = subprocess.run(
        [str(BINARIES / "storectl"), "catalogue", verb, *map(str, [*arguments, "--bundle-id", BUNDLE, *store.where])],
        capture_output=True, timeout=PATIENCE)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


@pytest.mark.parametrize("runs", [True, False], ids=["of a running store", "of a stopped store"])
def test_import_diff_and_export(folder, runs):
    """Imports, compares, edits and exports, with files in another layout than Xcode's."""
    store = Store(folder)
    file = Path(folder) / "shop.storekit"
    text = json.dumps(document(), indent=7)
    file.write_text(text)
    store.configuration = file
    store.serve()
    try:
        if not runs:
            store.stop()
        status, said, errors = catalogue("diff", store, file)
        assert (status, said) == (0, ""), f"diff of the imported file: {status} {said} {errors}"
        status, said, errors = catalogue("export", store)
        assert (status, said) == (0, text), f"export of an unedited store: {status} {said} {errors}"

        other = Path(folder) / "other.storekit"
        other.write_text(json.dumps({**document("1.99"), "settings": {"_billingGracePeriodEnabled": True}}))
        changes = ["fig: changed: price from 0.99 to 1.99.", "grace period: changed: from 0 to 16 days."]
        for _ in range(2):  # The first one changes nothing.
            status, said, errors = catalogue("diff", store, other)
            assert (status, said.splitlines()) == (1, changes), f"diff: {status} {said} {errors}"
        status, said, errors = catalogue("diff", store, other, "--json")
        found = json.loads(said)
        assert (status == 1 and [line["subject"] for line in found["changes"]] == ["fig", "grace period"]
               and found["leftAlone"] == []), f"diff --json: {status} {said} {errors}"
        status, said, errors = catalogue("import", store, other)
        assert (status, said.splitlines()) == (0, changes), f"import: {status} {said} {errors}"
        assert catalogue("diff", store, other)[0] == 0, "the import has left a difference"
        assert catalogue("export", store)[1] == other.read_text(), "the export isn't the imported file"

        if not runs:
            store.configuration = other
            store.serve()
        storectl("product", "price", "--data", store.data, BUNDLE, "fig", "--storefront", "DEU", "2.49")
        storectl("product", "limit", "--data", store.data, BUNDLE, "fig", "--not-in", "JPN")
        device = Device(store).register()
        status, answer = device.products("fig", "gold")
        periods = [product.get("subscriptionPeriod") for product in answer["products"]]
        assert status == 200 and periods == [None, "P1M"], f"the store lists {answer}"
        if not runs:
            store.stop()
        status, said, errors = catalogue("export", store)
        wanted = json.loads(other.read_text())
        wanted["products"][0]["_openStoreKit"] = {"notSoldIn": ["JPN"], "prices": {"DEU": "2.49"}}
        assert status == 0 and json.loads(said) == wanted, f"export with edits: {status} {said} {errors}"
        status, said, errors = catalogue("diff", store, file)
        assert status == 0 and "fig: left alone" in said, f"diff with an edited product: {status} {said} {errors}"
        status, said, errors = catalogue("diff", store, file, "--overwrite-edits")
        assert status == 1 and "fig: changed: price from 1.99 to 0.99" in said, f"diff: {status} {said} {errors}"
    finally:
        store.kill()


def test_wrong_files_and_unknown_apps(folder):
    """Faults of the file and the command line are one sentence each, and change nothing."""
    store = Store(folder)
    store.serve()
    try:
        wrong = Path(folder) / "wrong.storekit"
        wrong.write_text(json.dumps(document(type="Vegetable")))
        for verb, status in (("import", 1), ("diff", 2)):
            for file, words in ((wrong, [r"wrong\.storekit", "fig", "type", "Vegetable"]),
                                (Path(folder) / "nowhere.storekit", [r"nowhere\.storekit", "read"])):
                code, said, errors = catalogue(verb, store, file)
                assert (code, said) == (status, ""), f"{verb} {file.name}: {code} {said} {errors}"
                complains(errors, *words)
        ran = subprocess.run([str(BINARIES / "storectl"), "catalogue", "export", "--bundle-id", "com.example.unknown",
                              *map(str, store.where)], capture_output=True, text=True, timeout=PATIENCE)
        assert ran.returncode == 1 and ran.stdout == "", f"an unknown app: {ran.returncode} {ran.stdout}"
        complains(ran.stderr, "no app", r"com\.example\.unknown")
        ran = subprocess.run([str(BINARIES / "storectl"), "catalogue", "import", str(wrong)], capture_output=True,
                             text=True, timeout=PATIENCE)
        assert ran.returncode == 64, f"no --bundle-id: {ran.returncode} {ran.stderr}"
    finally:
        store.kill()
