# SPDX-License-Identifier: Apache-2.0
"""Hosted content: `storectl content`, and uploads and downloads whose processes are killed in the middle.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from content_package import Download, bought, package, packed  # noqa: E402
from harness import (  # noqa: E402
    APPLE, BUNDLE, EMAIL, PASSWORD, PEAR, Device, Store, complains, expect, play_all, wait_until)
from processes import BINARIES, storectl  # noqa: E402
from small_disk import SmallDisk  # noqa: E402

PART = 4 << 20
# Enough parts that an upload isn't over when its first part is seen. A part takes a debug build up to four seconds.
LARGE = 4 * PART
# The steps of an upload at which the store is killed, before and after each.
STEPS = ["content-part", "content-complete", "content-publish:after"]


class Desk:
    """A store, its seller and a device."""

    def __init__(self, folder, content=None):
        """`content`: the folder of hosted content, if it isn't in the store's folder."""
        self.folder = Path(folder)
        self.elsewhere = ["--content", content] if content else []
        self.store = Store(folder, arguments=self.elsewhere)
        self.content = Path(content or self.store.data / "content")
        self.device = Device(self.store)

    def __enter__(self):
        self.store.serve()
        self.store.add_account(EMAIL, PASSWORD)
        self.device.register()
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            print(f"--- the store\n{self.store.tail()}", flush=True)
        self.store.kill()

    def command(self, verb, *arguments):
        """A command of the running store."""
        words = [BINARIES / "storectl", "content", verb, *arguments]
        if verb != "pack":
            words += ["--bundle-id", BUNDLE, "--data", self.store.data, "--store", self.store.url]
        return [str(word) for word in words]

    def run(self, verb, *arguments):
        return subprocess.run(self.command(verb, *arguments), text=True, capture_output=True, timeout=120)

    def json(self, verb, *arguments):
        ran = self.run(verb, *arguments, "--json")
        expect(ran.returncode == 0, f"content {verb} ended with {ran.returncode}: {ran.stderr}")
        return json.loads(ran.stdout)

    def received(self):
        """The bytes of the only upload; `None` without one."""
        rows = self.store.rows("SELECT received FROM content_upload")
        return rows[0][0] if rows else None

    def files(self, kind):
        """The files of uploads or objects in the folder of content."""
        return [path for path in self.content.glob(f"*/{kind}/**/*") if path.is_file()]

    def downloads(self, content, product=APPLE):
        """Buys a product, downloads its content, and compares the bytes."""
        transaction = bought(self.device, product, EMAIL, PASSWORD)
        expect(transaction["content"][0]["product"] == product, f"the transaction is {transaction}")
        download = Download(self.device, transaction["transactionIdentifier"])
        download.read()
        download.check(content)

    def has_published_once(self, content):
        """Requires one version, its object, and nothing beside it."""
        expect(self.store.rows("SELECT count(*) FROM content_version") == [(1,)], "there isn't one version")
        expect(self.received() is None, "an upload is left")
        expect(len(self.files("objects")) == 1 and not self.files("uploads"),
               f"the folder has {self.files('objects')} and {self.files('uploads')}")
        self.downloads(content)


def commands(folder):
    """Pack, upload, list, versions and remove, with their output, also with a stopped store."""
    with Desk(folder) as desk:
        source = package(desk.folder / "book", APPLE, files={"a.txt": b"a", "b/c.bin": 5000, "empty": b""})
        target = desk.folder / "book.oskcontent"
        made = desk.json("pack", source, "-o", target)
        expect(target.read_bytes() == packed(source), "the packed file isn't as the format says")
        expect(made["files"] == 4 and made["bytes"] == target.stat().st_size, f"pack prints {made}")

        published = desk.json("upload", target)
        expect(published["isNewest"] and published["version"] == "1.0", f"upload prints {published}")
        again = desk.run("upload", source)
        expect(again.returncode == 0 and "newest" in again.stdout, f"a second upload prints {again}")
        expect(not again.stderr, f"without a terminal there is no progress: {again.stderr}")
        other = package(desk.folder / "other", APPLE, files={"a.txt": b"b"})
        refused = desk.run("upload", other)
        expect(refused.returncode == 1, "a version was replaced")
        complains(refused.stderr, "Version 1.0", "other bytes", "ContentVersion")
        second = package(desk.folder / "second", APPLE, "2.0", {"a.txt": b"b"})
        desk.json("upload", second, "--product", APPLE)
        expect(desk.run("upload", second, "--product", PEAR).returncode == 1, "--product isn't compared")
        desk.json("upload", package(desk.folder / "pear", PEAR))
        expect([line["version"] for line in desk.json("versions", APPLE)] == ["1.0", "2.0"], "versions differ")
        newest = [(line["product"], line["version"]) for line in desk.json("list")]
        expect(newest == [(APPLE, "2.0"), (PEAR, "1.0")], f"list prints {newest}")
        desk.downloads(packed(second))
        removed = desk.json("remove", APPLE, "--version", "2.0")
        expect([line["version"] for line in removed] == ["2.0"], f"remove prints {removed}")
        complains(desk.run("remove", APPLE, "--version", "2.0").stderr, "no content of version 2.0")

        desk.store.stop()
        where = ["--bundle-id", BUNDLE, *desk.store.where]
        listed = json.loads(storectl("content", "list", *where, "--json"))
        expect([(line["product"], line["version"]) for line in listed] == [(APPLE, "1.0"), (PEAR, "1.0")],
               f"a stopped store lists {listed}")
        third = package(desk.folder / "third", APPLE, "3.0", {"a.bin": PART + 1})
        storectl("content", "upload", third, *where)
        desk.store.serve()
        expect([line["version"] for line in desk.json("versions", APPLE)] == ["1.0", "3.0"],
               "an upload to a stopped store is missing")


def refusals(folder):
    """Packages that the store doesn't take, each with the name of the file."""
    with Desk(folder) as desk:
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
            expect(ran.returncode == 1, f"{source.name} ended with {ran.returncode}: {ran.stdout}")
            complains(ran.stderr, *words)
        # The same by hand, so that the store has to refuse it.
        hidden = packed(package(desk.folder / "hidden", APPLE, files={"a": b"#!/bin/sh\n"}))
        (desk.folder / "hidden.oskcontent").write_bytes(hidden)
        ran = desk.run("upload", desk.folder / "hidden.oskcontent")
        expect(ran.returncode == 1, "the store takes a script")
        complains(ran.stderr, "Contents/a", "script")
        expect(desk.received() is None and not desk.files("uploads") and not desk.files("objects"),
               "a refused upload is left")


def client_killed(folder):
    """An upload whose process is killed in the middle is taken up by another process."""
    with Desk(folder) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": LARGE})
        first = subprocess.Popen(desk.command("upload", source), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = wait_until("a part has arrived", desk.received)
        first.kill()
        first.wait()
        expect(before < LARGE, "the upload was over before it was killed")
        status, answer = desk.device.call(
            "content", transaction=bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"])
        expect(status == 404 and answer["error"]["code"] == "content-not-found", f"half an upload is served: {answer}")
        upload = desk.store.rows("SELECT upload_id FROM content_upload")
        desk.json("upload", source)
        expect(desk.files("objects")[0].name.endswith(upload[0][0]), "the upload was begun again")
        desk.has_published_once(packed(source))


def store_killed(folder):
    """A store that is killed in the middle of an upload goes on after its start, with the same process of storectl."""
    with Desk(folder) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": LARGE})
        uploading = subprocess.Popen(desk.command("upload", source), text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        before = wait_until("a part has arrived", desk.received)
        desk.store.kill()
        expect(before < LARGE, "the upload was over before the store was killed")
        desk.store.serve()
        _, complaint = uploading.communicate(timeout=120)
        expect(uploading.returncode == 0, f"the upload ended with {uploading.returncode}: {complaint}")
        desk.has_published_once(packed(source))


def killed_at(folder, place):
    """A store that ends before or after a step of an upload publishes once after its start."""
    with Desk(folder) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        desk.store.stop()
        desk.store.serve(OPENSTOREKIT_CRASH_AT=place)
        uploading = subprocess.Popen(desk.command("upload", source), text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        desk.store.process.wait(timeout=60)
        desk.store.serve()
        _, complaint = uploading.communicate(timeout=120)
        expect(uploading.returncode == 0, f"the upload ended with {uploading.returncode}: {complaint}")
        desk.has_published_once(packed(source))


def full_disk(folder):
    """An upload for which the store's disk has no room leaves nothing half stored, and goes on when there is room."""
    disk = SmallDisk(Path(folder) / "disk", 5 * PART)
    try:
        with Desk(folder, disk.folder / "content") as desk:
            pear = package(desk.folder / "pear", PEAR)
            desk.json("upload", pear)
            source = package(desk.folder / "book", APPLE, files={"book.bin": 3 * PART})
            disk.fill(left=PART + PART // 2)
            uploading = subprocess.Popen(desk.command("upload", source), text=True, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE)
            wait_until("the disk is full", lambda: "No space left on device" in desk.store.tail())
            expect(desk.received() == PART, f"{desk.received()} bytes are counted instead of one part")
            expect(len(desk.files("objects")) == 1, f"the objects are {desk.files('objects')}")
            desk.downloads(packed(pear), PEAR)
            transaction = bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"]
            status, answer = desk.device.call("content", transaction=transaction)
            expect(status == 404 and answer["error"]["code"] == "content-not-found", f"half an upload: {answer}")
            [(upload,)] = desk.store.rows("SELECT upload_id FROM content_upload")

            # A command with a running store tries again for a while. One with a stopped store fails.
            desk.store.stop()
            ran = subprocess.run(
                [str(word) for word in (BINARIES / "storectl", "content", "upload", source, "--bundle-id", BUNDLE,
                                        *desk.store.where, *desk.elsewhere)],
                text=True, capture_output=True, timeout=120)
            expect(ran.returncode == 1, f"an upload to a full disk ended with {ran.returncode}: {ran.stdout}")
            complains(ran.stderr, "No space left on device", "Make room", "again")
            desk.store.serve()
            disk.make_room()
            _, complaint = uploading.communicate(timeout=120)
            expect(uploading.returncode == 0, f"the upload ended with {uploading.returncode}: {complaint}")
            expect(any(path.name.endswith(upload) for path in desk.files("objects")), "the upload was begun again")
            expect(desk.received() is None and not desk.files("uploads"), f"an upload is left: {desk.files('uploads')}")
            desk.downloads(packed(source))
    finally:
        disk.close()


def download_cut(folder):
    """Downloads that are cut by the device or by the end of the store go on from the byte, and end after a refund."""
    with Desk(folder) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": LARGE})
        content = packed(source)
        desk.json("upload", source)
        transaction = bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"]
        download = Download(desk.device, transaction)
        for limit in (1, 12_345, PART, 7):
            download.read(limit)
        expect(PART < len(download.received) < len(content), f"{len(download.received)} bytes were read")
        desk.store.kill()
        desk.store.serve()
        # The address that the killed process has given.
        download.read()
        expect(download.is_complete, f"{len(download.received)} of {len(content)} bytes")
        download.check(content)
        storectl("refund", transaction, "--data", desk.store.data, "--store", desk.store.url)
        status, answer = desk.device.call("content", transaction=transaction)
        expect(status == 403 and answer["error"]["code"] == "content-not-owned", f"after the refund: {status} {answer}")


def scenarios():
    yield "content: the commands and their output", commands, {}
    yield "content: refused packages name the file", refusals, {}
    yield "content: an upload whose process is killed is taken up", client_killed, {}
    yield "content: an upload goes on when the store was killed", store_killed, {}
    for step in STEPS:
        for place in [step] if ":" in step else [f"{step}:before", f"{step}:after"]:
            yield f"content: the store is killed at {place}", killed_at, {"place": place}
    yield "content: an upload goes on when the full disk has room", full_disk, {}
    yield "content: a download goes on from the byte", download_cut, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
