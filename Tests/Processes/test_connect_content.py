# SPDX-License-Identifier: Apache-2.0
"""Hosted content that is uploaded on a page of Connect, by stores that are killed and a disk that is full."""

import http.client
import os
import socket
import threading
from pathlib import Path

import pytest

from connect_console import product_form, set_up
from connect_keys import Program, make_key
from content_desk import PART, PLACES, Desk
from content_package import package, packed
from harness import BUNDLE, PATIENCE, wait_until
from small_disk import SmallDisk

BOOK = "com.example.fruit.book"
PAGE = f"/connect/apps/{BUNDLE}/products/{BOOK}/content"


def seller_of(desk):
    """The console of a team with a non-consumable that has no content yet."""
    console = set_up(desk.store)
    form = product_form(BOOK, kind="Non-Consumable")
    assert console.send(f"/connect/apps/{BUNDLE}/new-product", form)[0] == 303, "the product isn't registered"
    return console


def upload(console, contents):
    return console.upload(PAGE, contents, "book.oskcontent", decision="upload")


def incoming(desk):
    """The files of packages that arrive: none has a name."""
    return [path for path in desk.content.glob("*/incoming/*")]


def published(desk, content):
    """Requires one version with the object of the content, and nothing beside it."""
    versions = desk.store.rows("SELECT version, is_newest, object_bytes FROM content_version")
    assert versions == [("1.0", 1, len(content))], f"the versions are {versions}"
    assert desk.received() is None and not desk.files("uploads"), f"an upload is left: {desk.files('uploads')}"
    [found] = desk.files("objects")
    assert found.read_bytes() == content and not incoming(desk), "the object has other bytes"


def test_a_package_is_uploaded_and_published(folder):
    """A package of several parts is published by one form, and storectl names it as the newest version."""
    with Desk(folder) as desk:
        console = seller_of(desk)
        source = package(desk.folder / "book", BOOK, files={"book.bin": 2 * PART + 1000})
        status, text = upload(console, packed(source))
        assert status == 303, f"the upload was answered {status} {text}"
        published(desk, packed(source))
        assert [line["version"] for line in desk.json("versions", BOOK)] == ["1.0"], "storectl lists other versions"
        assert "live" in console.send(PAGE)[2], "the page doesn't name the live version"
        other = upload(console, packed(package(desk.folder / "other", BOOK, files={"book.bin": 1000})))
        assert other[0] == 400 and "another ContentVersion" in other[1], f"other bytes were answered {other[0]}"


def test_a_package_is_uploaded_by_the_api(folder):
    """A program publishes a package of several parts, also after a kill in the middle, and removes the version."""
    with Desk(folder) as desk:
        program = Program(desk.store, make_key(seller_of(desk), "connect", "developer"))
        path = f"/connect/v1/apps/{BUNDLE}/products/{BOOK}/content"
        content = packed(package(desk.folder / "book", BOOK, files={"book.bin": 2 * PART + 1000}))
        desk.store.stop()
        desk.store.serve(OPENSTOREKIT_CRASH_AT="content-part:after")
        try:
            answer = program.exchange("PUT", path, content)
        except (OSError, http.client.HTTPException):
            answer = None
        assert answer is None, f"the store answered {answer}"
        desk.store.process.wait(timeout=PATIENCE)
        desk.store.serve()
        for _ in range(2):
            status, _, body = program.exchange("PUT", path, content)
            assert status == 200 and b'"version":"1.0"' in body.replace(b" ", b""), f"answered {status} {body}"
        published(desk, content)
        assert [line["version"] for line in desk.json("versions", BOOK)] == ["1.0"], "storectl lists other versions"
        assert program.send("GET", path)[2]["live"] == "1.0", "the API doesn't name the live version"
        other = packed(package(desk.folder / "other", BOOK, files={"book.bin": 1000}))
        status, _, body = program.exchange("PUT", path, other)
        assert status == 400 and b"other-bytes" in body, f"other bytes were answered {status} {body}"
        # The head alone, of which the store knows that it is too large.
        connection = socket.create_connection(("127.0.0.1", desk.store.port), timeout=PATIENCE)
        connection.sendall("\r\n".join([
            f"PUT {path} HTTP/1.1", f"Host: 127.0.0.1:{desk.store.port}", f"Authorization: Bearer {program.token()}",
            f"Content-Length: {3 << 30}", "", ""]).encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        text = answer.read().decode()
        connection.close()
        assert answer.status == 400 and "file-too-large" in text, f"3 GiB were answered {answer.status} {text}"
        assert program.send("DELETE", f"{path}/1.0")[0] == 204, "the version wasn't removed"
        assert program.send("DELETE", f"{path}/1.0")[0] == 404, "the version is still there"


@pytest.mark.sampled
@pytest.mark.parametrize("place", PLACES)
def test_the_store_is_killed_at(folder, place):
    """A store that ends at a step of an upload has nothing half published; the same form publishes once."""
    with Desk(folder) as desk:
        console = seller_of(desk)
        content = packed(package(desk.folder / "book", BOOK, files={"book.bin": PART + 1000}))
        desk.store.stop()
        desk.store.serve(OPENSTOREKIT_CRASH_AT=place)
        try:
            answer = upload(console, content)
        except (OSError, http.client.HTTPException):
            answer = None
        assert answer is None, f"the store answered {answer}"
        desk.store.process.wait(timeout=PATIENCE)
        desk.store.serve()
        versions = desk.store.rows("SELECT object_bytes FROM content_version")
        assert versions == ([(len(content),)] if place == "content-publish:after" else []), (
            f"after the kill: {versions}")
        status, text = upload(console, content)
        assert status == 303, f"the second upload was answered {status} {text}"
        published(desk, content)


def begun(desk, console, length, body, before=b""):
    """A connection on which a form with so many bytes has begun; `before` are its parts before the file."""
    head = before + b'--XX\r\nContent-Disposition: form-data; name="file"; filename="book.oskcontent"\r\n\r\n'
    lines = [f"POST {PAGE} HTTP/1.1", f"Host: 127.0.0.1:{desk.store.port}", f"Cookie: {console.cookie}",
             f"Origin: {desk.store.url}", "Content-Type: multipart/form-data; boundary=XX",
             f"Content-Length: {length}", "", ""]
    connection = socket.create_connection(("127.0.0.1", desk.store.port), timeout=PATIENCE)
    connection.sendall("\r\n".join(lines).encode() + head + body)
    return connection


def test_wrong_files_are_refused_early(folder):
    """A file that is too large, and one that is no package, are refused before their last bytes are sent."""
    with Desk(folder) as desk:
        console = seller_of(desk)
        for length, body, problem in (
                (3 << 30, b"", "at most 2,147 MB"), (1 << 20, b"not a package" * 100, "a package")):
            connection = begun(desk, console, length, body)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            text = answer.read().decode()
            connection.close()
            assert answer.status == 400 and 'id="file-problem">' in text and problem in text, (
                f"{length} bytes were answered {answer.status} {text}")


def answer_of(connection):
    """The status and the text of the answer on a connection, which is closed then."""
    with connection:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.read().decode()


def test_other_buttons_and_bytes_after_the_form_are_refused_early(folder):
    """A button that isn't the page's, and bytes after the form, are refused before the rest of the body is sent."""
    with Desk(folder) as desk:
        console = seller_of(desk)
        content = packed(package(desk.folder / "book", BOOK, files={"book.bin": PART}))
        part = b'--XX\r\nContent-Disposition: form-data; name="decision"\r\n\r\n%s\r\n'
        status, text = answer_of(begun(desk, console, len(content), content[:1000], before=part % b"burn"))
        assert status == 400 and "burn" in text, f"another button was answered {status} {text}"
        form = content + b"\r\n" + part % b"upload" + b"--XX--\r\n"
        status, text = answer_of(begun(desk, console, len(form) + (1 << 20), form + bytes(128 << 10)))
        assert status == 400, f"bytes after the form were answered {status} {text}"
        assert desk.store.rows("SELECT count(*) FROM content_upload") == [(0,)], "an upload has begun"


def test_the_store_is_killed_while_a_package_arrives(folder):
    """A store that is killed while a package arrives keeps no byte of it, and the disk has its room back."""
    with Desk(folder) as desk:
        console = seller_of(desk)
        content = packed(package(desk.folder / "book", BOOK, files={"book.bin": 4 * PART}))
        connection = begun(desk, console, len(content) + 1000, content[:3 * PART])

        def held():
            """The bytes of the files without a name that the store has open."""
            files = Path(f"/proc/{desk.store.process.pid}/fd").iterdir()
            names = [(file, os.readlink(file)) for file in files if file.exists() or file.is_symlink()]
            return sum(file.stat().st_size for file, name in names if "/incoming/" in name and "(deleted)" in name)

        wait_until("a part of the package has arrived", lambda: held() >= 2 * PART)
        assert not incoming(desk), f"the package has a name: {incoming(desk)}"
        desk.store.kill()
        connection.close()
        assert not incoming(desk) and not desk.files("uploads") and not desk.files("objects"), "bytes are left"
        desk.store.serve()
        assert desk.store.rows("SELECT count(*) FROM content_version") == [(0,)], "a half package was published"
        assert upload(console, content)[0] == 303, "the whole package isn't published"
        published(desk, content)


def test_a_full_disk(folder):
    """A disk without room for a package is named beside the field, and nothing of the package is left."""
    disk = SmallDisk(folder / "disk", 96 << 20)
    try:
        with Desk(folder, disk.folder / "content") as desk:
            console = seller_of(desk)
            content = packed(package(desk.folder / "book", BOOK, files={"book.bin": PART}))
            disk.fill(left=(64 << 20) + PART // 2)
            status, text = upload(console, content)
            assert status == 400 and 'id="file-problem">The store has no room' in text, f"a full disk: {status} {text}"
            assert desk.received() is None and not desk.files("uploads") and not desk.files("objects"), "bytes are left"
            disk.make_room()
            assert upload(console, content)[0] == 303, "the upload fails although the disk has room"
            published(desk, content)
    finally:
        disk.close()


def test_a_disk_that_fills_while_a_package_arrives(folder):
    """A disk on which others leave 64 MiB ends an upload with the error of a full disk, and gets its bytes."""
    disk = SmallDisk(folder / "disk", 96 << 20)
    try:
        with Desk(folder, disk.folder / "content") as desk:
            console = seller_of(desk)
            content = packed(package(desk.folder / "book", BOOK, files={"book.bin": 2 * PART}))
            free = disk.free
            connection = begun(desk, console, len(content) + 1000, content[:PART])
            wait_until("a part of the package has arrived", lambda: free - disk.free >= PART - (1 << 20))
            disk.fill(left=(64 << 20) + PART // 2)
            connection.sendall(content[PART:2 * PART])
            status, text = answer_of(connection)
            assert status == 400 and 'id="file-problem">The store has no room' in text, f"a full disk: {status} {text}"
            assert disk.free >= 64 << 20, f"{disk.free} bytes are free"
            assert "storage of content out of order" in desk.store.tail(), "the full disk isn't in the log"
            wait_until("the bytes are freed", lambda: disk.free >= (64 << 20) + PART)
            assert desk.received() is None and not desk.files("uploads") and not desk.files("objects"), "bytes are left"
            disk.make_room()
            assert upload(console, content)[0] == 303, "the upload fails although the disk has room"
            published(desk, content)
    finally:
        disk.close()


def test_two_users_at_a_time(folder):
    """Two uploads of one version at a time: one of them is published whole, and the other is refused."""
    with Desk(folder) as desk:
        console = seller_of(desk)
        contents = [packed(package(desk.folder / name, BOOK, files={"book.bin": 2 * PART})) for name in ("a", "b")]
        answers = [None, None]

        def send(number):
            answers[number] = upload(console, contents[number])[0]

        threads = [threading.Thread(target=send, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [303, 400], f"the uploads were answered {answers}"
        published(desk, contents[answers.index(303)])
