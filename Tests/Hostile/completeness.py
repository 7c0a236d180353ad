# SPDX-License-Identifier: Apache-2.0
"""Compares the lists of this folder with the sources: a route or a field that isn't attacked is a failure."""

import re

import samples
from harness import expect
from swift_sources import account_switches, call_of, control_verbs, declared_routes, missing_fields, store_paths, structures, text_of
from targets import attacked_routes


def routes(_folder):
    """Every route that the server declares is attacked."""
    declared, odd = declared_routes()
    expect(not odd, f"routes that swift_sources.py doesn't understand: {odd}")
    expect(len(declared) >= 20, f"only {len(declared)} routes were found; swift_sources.py no longer fits the sources")
    missing = sorted(declared - attacked_routes())
    expect(not missing, f"routes that Tests/Hostile doesn't attack (add them to targets.py): {missing}")
    gone = sorted(attacked_routes() - declared)
    expect(not gone, f"routes that the server doesn't have (remove them from targets.py): {gone}")


def fields(_folder):
    """Every field that a message, a verb or a form declares is in a sample."""
    known = structures(text_of("StoreAPI"))
    for path in store_paths():
        expect(path in samples.DEVICE, f"samples.py has no message for {path}")
    missing = [f"{path}: {field}" for path in store_paths()
               for field in missing_fields(samples.DEVICE[path], call_of(path), known)]
    missing += [f"events: {field}" for field in missing_fields(samples.EVENTS, "EventsCall", known)]
    control = structures(text_of("StoreService", "Control"))
    calls = {name: fields for name, fields in control.items() if name.endswith("Call")}
    expect(len(calls) >= 4, f"only the calls {sorted(calls)} of the remote control were found")
    for verb in control_verbs():
        expect(verb in samples.CONTROL, f"samples.py has no message for control/{verb}")
    expect(len(account_switches()) >= 4, "the switches of an account were not found")
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
    expect(not missing, f"fields that samples.py lacks: {missing}")
    numbers = [place for sample in samples.DEVICE.values() for place, value in samples.fields(sample)
               if samples.is_number(value)]
    expect(len(numbers) >= 5, f"only {numbers} are numbers in samples.py")


def scenarios():
    yield "completeness: every route of the server is attacked", routes, {}
    yield "completeness: every field of every message is attacked", fields, {}
