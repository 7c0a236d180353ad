# SPDX-License-Identifier: Apache-2.0
"""Hosted content: `storectl content`, and uploads and downloads whose processes are killed in the middle."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from content_desk import PART, PLACES, Desk, Relay
from content_package import Download, bought, package, packed
from harness import APPLE, BUNDLE, EMAIL, PASSWORD, PATIENCE, PEAR, complains, wait_until
from processes import BINARIES, storectl
from small_disk import SmallDisk

LARGE = 2 * PART + 1000


@pytest.fixture
def desk(folder):
    with Desk(folder) as desk:
        yield desk
        print(f"--- the store\n{desk.store.tail()}")


def test_the_commands_and_their_output(desk):
    """Pack, upload, list, versions and remove, with their output, also with a stopped store."""
    source = package(desk.folder / "book", APPLE, files={"a.txt": b"a", "b/c.bin": 5000, "empty": b""})
    target = desk.folder / "book.oskcontent"
    made = desk.json("pack", source, "-o", target)
    assert target.read_bytes() == packed(source), "the packed file isn't as the format says"
    assert made["files"] == 4 and made["bytes"] == target.stat().st_size, f"pack prints {made}"

    published = desk.json("upload", target)
    assert published["isNewest"] and published["version"] == "1.0", f"upload prints {published}"
    again = desk.run("upload", source)
    assert again.returncode == 0 and "newest" in again.stdout, f"a second upload prints {again}"
    assert not again.stderr, f"without a terminal there is no progress: {again.stderr}"
    other = package(desk.folder / "other", APPLE, files={"a.txt": b"b"})
    refused = desk.run("upload", other)
    assert refused.returncode == 1, "a version was replaced"
    complains(refused.stderr, "Version 1.0", "other bytes", "ContentVersion")
    second = package(desk.folder / "second", APPLE, "2.0", {"a.txt": b"b"})
    desk.json("upload", second, "--product", APPLE)
    assert desk.run("upload", second, "--product", PEAR).returncode == 1, "--product isn't compared"
    desk.json("upload", package(desk.folder / "pear", PEAR))
    assert [line["version"] for line in desk.json("versions", APPLE)] == ["1.0", "2.0"], "versions differ"
    newest = [(line["product"], line["version"]) for line in desk.json("list")]
    assert newest == [(APPLE, "2.0"), (PEAR, "1.0")], f"list prints {newest}"
    desk.downloads(packed(second))
    removed = desk.json("remove", APPLE, "--version", "2.0")
    assert [line["version"] for line in removed] == ["2.0"], f"remove prints {removed}"
    complains(desk.run("remove", APPLE, "--version", "2.0").stderr, "no content of version 2.0")

    desk.store.stop()
    where = ["--bundle-id", BUNDLE, *desk.store.where]
    listed = json.loads(storectl("content", "list", *where, "--json"))
    assert [(line["product"], line["version"]) for line in listed] == [(APPLE, "1.0"), (PEAR, "1.0")], (
        f"a stopped store lists {listed}")
    third = package(desk.folder / "third", APPLE, "3.0", {"a.bin": PART + 1})
    storectl("content", "upload", third, *where)
    desk.store.serve()
    assert [line["version"] for line in desk.json("versions", APPLE)] == ["1.0", "3.0"], (
        "an upload to a stopped store is missing")


def test_refused_packages_name_the_file(desk):
    """Packages that the store doesn't take, each with the name of the file."""
    linked = package(desk.folder / "linked", APPLE)
    (linked / "Contents" / "way-out").symlink_to("/etc/passwd")
    piped = package(desk.folder / "piped", APPLE)
    os.mkfifo(piped / "Contents" / "pipe")
    bare = package(desk.folder / "bare", APPLE)
    (bare / "ContentInfo.plist").unlink()
    named = package(desk.folder / "named", APPLE)
    Path(os.fsdecode(os.fsencode(named / "Contents") + b"/\xff")).touch()
    code = package(desk.folder / "code", APPLE, files={"bin/tool": b"\x7fELF" + bytes(100)})
    script = package(desk.folder / "script", APPLE, files={"run": b"#!/bin/sh\n"})
    large = package(desk.folder / "large", APPLE)
    os.truncate(large / "Contents" / "recipes.txt", (2 << 30) + 1)
    melon = package(desk.folder / "melon", "melon")
    for source, *words in [
        (linked, "Contents/way-out", "link"), (piped, "Contents/pipe"), (bare, "ContentInfo.plist"),
        (named, "Contents/", "UTF-8"), (code, "Contents/bin/tool", "executable"), (script, "Contents/run", "script"),
        (large, "2147483648"), (melon, "melon"), (desk.folder / "nowhere", "nowhere"),
    ]:
        ran = desk.run("upload", source)
        assert ran.returncode == 1, f"{source.name} ended with {ran.returncode}: {ran.stdout}"
        complains(ran.stderr, *words)
    # The same by hand, so that the store has to refuse it.
    hidden = packed(package(desk.folder / "hidden", APPLE, files={"a": b"#!/bin/sh\n"}))
    (desk.folder / "hidden.oskcontent").write_bytes(hidden)
    ran = desk.run("upload", desk.folder / "hidden.oskcontent")
    assert ran.returncode == 1, "the store takes a script"
    complains(ran.stderr, "Contents/a", "script")
    assert desk.received() is None and not desk.files("uploads") and not desk.files("objects"), (
        "a refused upload is left")


def test_an_upload_whose_process_is_killed_is_taken_up(desk):
    """An upload whose process is killed in the middle is taken up by another process."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": LARGE})
    with Relay(desk.store, PART + PART // 2) as relay:
        first = desk.start_upload(source, relay.url)
        wait_until("a part has arrived", lambda: desk.received() == PART)
        first.kill()
        first.communicate()
    status, answer = desk.device.call(
        "content", transaction=bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"])
    assert status == 404 and answer["error"]["code"] == "content-not-found", f"half an upload is served: {answer}"
    upload = desk.store.rows("SELECT upload_id FROM content_upload")
    desk.json("upload", source)
    assert desk.files("objects")[0].name.endswith(upload[0][0]), "the upload was begun again"
    desk.has_published_once(packed(source))


def test_an_upload_goes_on_when_the_store_was_killed(desk):
    """A store that is killed in the middle of an upload goes on after its start, with the same process of storectl."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": LARGE})
    with Relay(desk.store, PART + PART // 2) as relay:
        uploading = desk.start_upload(source, relay.url)
        wait_until("a part has arrived", lambda: desk.received() == PART)
        desk.store.kill()
        relay.goes_on.set()
        desk.serve_again(uploading)
        desk.ends(uploading)
    desk.has_published_once(packed(source))


@pytest.mark.sampled
@pytest.mark.parametrize("place", PLACES)
def test_the_store_is_killed_at_a_step_of_an_upload(folder, place):
    """A store that ends before or after a step of an upload publishes once after its start."""
    with Desk(folder, crash_at=place) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        uploading = desk.start_upload(source)
        desk.is_killed(uploading)
        desk.ends(uploading)
        desk.has_published_once(packed(source))


@pytest.fixture
def disk(folder):
    disk = SmallDisk(folder / "disk", 5 * PART)
    yield disk
    disk.close()


def test_an_upload_goes_on_when_the_full_disk_has_room(folder, disk):
    """An upload for which the store's disk has no room leaves nothing half stored, and goes on when there is room."""
    no_room = "No space left on device"
    with Desk(folder, disk.folder / "content") as desk:
        pear = package(desk.folder / "pear", PEAR)
        desk.json("upload", pear)
        source = package(desk.folder / "book", APPLE, files={"book.bin": 3 * PART})
        disk.fill(left=PART + PART // 2)
        uploading = desk.start_upload(source)
        wait_until("the disk is full", lambda: no_room in desk.store.tail())
        uploading.kill()
        uploading.communicate()
        assert desk.received() == PART, f"{desk.received()} bytes are counted instead of one part"
        assert len(desk.files("objects")) == 1, f"the objects are {desk.files('objects')}"
        desk.downloads(packed(pear), PEAR)
        transaction = bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"]
        status, answer = desk.device.call("content", transaction=transaction)
        assert status == 404 and answer["error"]["code"] == "content-not-found", f"half an upload: {answer}"
        [(upload,)] = desk.store.rows("SELECT upload_id FROM content_upload")

        # A command with a stopped store fails. One with a running store tries again for a while.
        desk.store.stop()
        ran = subprocess.run(
            [str(word) for word in (BINARIES / "storectl", "content", "upload", source, "--bundle-id", BUNDLE,
                                    *desk.store.where, *desk.elsewhere)],
            text=True, capture_output=True, timeout=PATIENCE)
        assert ran.returncode == 1, f"an upload to a full disk ended with {ran.returncode}: {ran.stdout}"
        complains(ran.stderr, no_room, "Make room", "again")
        desk.store.serve()
        before = desk.store.log.read_text().count(no_room)
        uploading = desk.start_upload(source)
        wait_until("the disk is full again", lambda: desk.store.log.read_text().count(no_room) > before)
        disk.make_room()
        desk.ends(uploading)
        assert any(path.name.endswith(upload) for path in desk.files("objects")), "the upload was begun again"
        assert desk.received() is None and not desk.files("uploads"), f"an upload is left: {desk.files('uploads')}"
        desk.downloads(packed(source))


def test_a_download_goes_on_from_the_byte(desk):
    """Downloads that are cut by the device or by the end of the store go on from the byte, and end after a refund."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": LARGE})
    content = packed(source)
    desk.json("upload", source)
    transaction = bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"]
    download = Download(desk.device, transaction)
    for limit in (1, 12_345, PART, 7):
        download.read(limit)
    assert PART < len(download.received) < len(content), f"{len(download.received)} bytes were read"
    desk.store.kill()
    desk.store.serve()
    # The address that the killed process has given.
    download.read()
    assert download.is_complete, f"{len(download.received)} of {len(content)} bytes"
    download.check(content)
    storectl("refund", transaction, "--data", desk.store.data, "--store", desk.store.url)
    status, answer = desk.device.call("content", transaction=transaction)
    assert status == 403 and answer["error"]["code"] == "content-not-owned", f"after the refund: {status} {answer}"
