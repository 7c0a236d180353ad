# SPDX-License-Identifier: Apache-2.0
"""Compares the lists of this folder with the sources: a route or a field that isn't attacked is a failure."""

import collections
import pathlib
import re

import samples
from swift_sources import (
    account_switches, call_of, control_verbs, declared_routes, missing_fields, store_paths, structures, text_of)
from targets import attacked_routes


def test_every_route_is_attacked():
    """Every route that the server declares is attacked."""
    declared, odd = declared_routes()
    assert not odd, f"routes that swift_sources.py doesn't understand: {odd}"
    assert len(declared) >= 20, f"only {len(declared)} routes were found; swift_sources.py no longer fits the sources"
    missing = sorted(declared - attacked_routes())
    assert not missing, f"routes that Tests/Hostile doesn't attack (add them to targets.py): {missing}"
    gone = sorted(attacked_routes() - declared)
    assert not gone, f"routes that the server doesn't have (remove them from targets.py): {gone}"


def test_every_route_of_sellers_has_its_cost():
    """docs/seller-costs.md has each route of Connect and of the App Store Server API in one row."""
    page = (pathlib.Path(__file__).parents[2] / "docs" / "seller-costs.md").read_text()
    listed = collections.Counter(
        f"{method} {path}" for methods, path in re.findall(r"((?:[A-Z]+ )+)`(/[^`]*)`", page) for method in methods.split())
    wanted = {route for route in declared_routes()[0] if route.split(" ")[1].startswith(("/connect", "/inApps"))}
    assert not wanted - set(listed), f"routes without a row: {sorted(wanted - set(listed))}"
    ours = {route for route in listed if route.split(" ")[1].startswith(("/connect", "/inApps"))}
    assert not ours - wanted, f"rows of routes that the server doesn't have: {sorted(ours - wanted)}"
    assert all(count == 1 for count in listed.values()), f"routes with two rows: {listed.most_common(3)}"


def test_every_field_is_attacked():
    """Every field that a message, a verb or a form declares is in a sample."""
    known = structures(text_of("StoreAPI"))
    for path in store_paths():
        assert path in samples.DEVICE, f"samples.py has no message for {path}"
    missing = [f"{path}: {field}" for path in store_paths()
               for field in missing_fields(samples.DEVICE[path], call_of(path), known)]
    missing += [f"events: {field}" for field in missing_fields(samples.EVENTS, "EventsCall", known)]
    control = structures(text_of("StoreService", "Control"))
    calls = {name: fields for name, fields in control.items() if name.endswith("Call")}
    assert len(calls) >= 4, f"only the calls {sorted(calls)} of the remote control were found"
    for verb in control_verbs():
        assert verb in samples.CONTROL, f"samples.py has no message for control/{verb}"
    assert len(account_switches()) >= 4, "the switches of an account were not found"
    for call in calls.values():
        if call.pop("switches", None):
            call.update(dict.fromkeys(account_switches(), "Bool"))
    kept = [set(message) for message in samples.CONTROL.values()]
    missing += [f"control, {name}: {sorted(fields)}" for name, fields in calls.items() if set(fields) not in kept]
    form = structures(text_of("StoreServer", "Pages"))["CustomerForm"]
    missing += [f"the form: {field}" for field in missing_fields(samples.FORM, "CustomerForm", {"CustomerForm": form})]
    keys = re.search(r"struct VerifyReceiptRequest.*?enum CodingKeys[^{]*\{(.*?)\}", text_of(
        "StoreServer", "VerifyReceipt"), re.S).group(1)
    names = [given or name for name, given in re.findall(r'case (\w+)(?: = "([^"]+)")?', keys)]
    missing += [f"verifyReceipt: {name}" for name in names if name not in samples.VERIFY_RECEIPT]
    assert not missing, f"fields that samples.py lacks: {missing}"
    numbers = [place for sample in samples.DEVICE.values() for place, value in samples.fields(sample)
               if samples.is_number(value)]
    assert len(numbers) >= 5, f"only {numbers} are numbers in samples.py"
