# SPDX-License-Identifier: Apache-2.0
"""Hosted content in a bucket: uploads that survive the store's death, downloads, and a bucket that misbehaves.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import http.client
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bucket_server import Bucket, Moto, completes, reads_object, writes_part  # noqa: E402
from content_package import Download, bought, package, packed  # noqa: E402
from harness import (  # noqa: E402
    APPLE, EMAIL, PASSWORD, Market, complains, exchange, expect, play_all, wait_until)
from processes import BINARIES, BUNDLE, CONFIGURATION, free_port, storectl  # noqa: E402
from test_content import STEPS, Desk  # noqa: E402

PART = 8 << 20
KEYS = ("OPENSTOREKIT_BUCKET_ACCESS_KEY", "OPENSTOREKIT_BUCKET_SECRET_KEY")
ALWAYS = 1 << 30
numbers = itertools.count(1)


class BucketDesk(Desk):
    """A store with a bucket of its own, its seller and a device."""

    def __init__(self, folder, moto, *options):
        super().__init__(folder)
        self.bucket = Bucket(moto, f"content-{next(numbers)}")
        self.options = options

    def __enter__(self):
        self.bucket.__enter__()
        self.store.arguments = ["--content", self.bucket.address(), *self.options]
        return super().__enter__()

    def __exit__(self, kind, error, trace):
        super().__exit__(kind, error, trace)
        self.bucket.__exit__()

    def files(self, kind):
        """The keys of multipart uploads or objects in the bucket."""
        return self.bucket.uploads() if kind == "uploads" else list(self.bucket.objects())

    def start_upload(self, source):
        return subprocess.Popen(
            self.command("upload", source), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def ends(self, uploading):
        _, complaint = uploading.communicate(timeout=120)
        expect(uploading.returncode == 0, f"the upload ended with {uploading.returncode}: {complaint}")

    def offline(self, verb, *arguments, address=None, **environment):
        """A command for the stopped store, which changes its bucket within the command's process."""
        return subprocess.run(
            [str(word) for word in (
                BINARIES / "storectl", "content", verb, *arguments, "--bundle-id", BUNDLE, *self.store.where,
                "--content", address or self.bucket.address())],
            text=True, capture_output=True, timeout=180, env={**os.environ, **environment})

    def control(self, verb, **message):
        token = (self.store.data / "control.token").read_text().strip()
        status, text = exchange(self.store, "POST", f"/control/v1/{verb}", json.dumps(message).encode(), {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        expect(status == 200, f"{verb} was answered {status}: {text}")

    def download(self, product=APPLE):
        """Buys a product, and begins its download."""
        transaction = bought(self.device, product, EMAIL, PASSWORD)
        return Download(self.device, transaction["transactionIdentifier"])

    def get(self, address, method="GET", **fields):
        """Status, fields and bytes of the store's own answer; a redirect isn't followed."""
        request = urllib.request.Request(self.store.url + address, method=method, headers={
            name.replace("_", "-"): value for name, value in fields.items()})
        try:
            with NOT_FOLLOWING.open(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def logs(self, *words):
        text = self.store.log.read_text(errors="replace")
        return all(word in text for word in words)


class NotFollowing(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


NOT_FOLLOWING = urllib.request.build_opener(NotFollowing)


def begins(seen):
    return seen.method == "POST" and "uploads" in seen.query


def part_number(number):
    return lambda seen: writes_part(seen) and seen.query["partNumber"] == str(number)


def commands(folder, moto):
    """Uploads in parts, downloads, versions and removal; every signature is botocore's."""
    with BucketDesk(folder, moto) as desk:
        bucket = desk.bucket
        source = package(desk.folder / "book", APPLE, files={"book.bin": 2 * PART + 1000})
        desk.json("upload", source)
        (key, size), = bucket.objects().items()
        expect(key.startswith("shop/") and "/objects/" in key, f"the key is {key}")
        expect(bucket.bytes_of(key) == packed(source) and size > 2 * PART, "the object isn't the packed content")
        parts = bucket.requests(writes_part)
        expect([len(seen.body) for seen in parts][:2] == [PART, PART] and len(parts) == 3, f"{len(parts)} parts")
        desk.json("upload", source)
        expect(len(bucket.requests(writes_part)) == 3, "the same bytes were sent twice")
        desk.has_published_once(packed(source))

        download = desk.download()
        for limit in (1, 70_000, PART, 7):
            download.read(limit)
        download.read()
        download.check(packed(source))
        second = package(desk.folder / "second", APPLE, "2.0", {"a.txt": b"b"})
        desk.store.stop()
        ran = desk.offline("upload", second)
        expect(ran.returncode == 0, f"an upload to a stopped store: {ran.stderr}")
        desk.store.serve()
        expect([line["version"] for line in desk.json("versions", APPLE)] == ["1.0", "2.0"], "a version is missing")
        desk.downloads(packed(second))
        desk.json("remove", APPLE, "--version", "1.0")
        expect(len(bucket.objects()) == 1 and key not in bucket.objects(), "a removed version has its object")
        desk.json("remove", APPLE)
        expect(not bucket.objects() and not bucket.uploads(), "bytes are left in the bucket")
        bucket.is_signed_right()


def store_killed(folder, moto):
    """A store that is killed while a part is sent goes on with the next part, in the same multipart upload."""
    with BucketDesk(folder, moto) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": 3 * PART + 1000})
        hold = threading.Event()
        fault = desk.bucket.fail(part_number(3), hold=hold)
        uploading = desk.start_upload(source)
        wait_until("the third part is under way", lambda: fault.used)
        expect(desk.received() == 2 * PART, f"{desk.received()} bytes were received")
        expect(not desk.bucket.objects(), "half an upload is an object")
        status, answer = desk.device.call(
            "content", transaction=bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"])
        expect(status == 404 and answer["error"]["code"] == "content-not-found", f"half an upload is served: {answer}")
        desk.store.kill()
        hold.set()
        desk.store.serve()
        desk.ends(uploading)
        expect(len(desk.bucket.requests(begins)) == 1, "the upload was begun again")
        for number in (1, 2):
            expect(len(desk.bucket.requests(part_number(number))) == 1, f"part {number} was sent again")
        desk.has_published_once(packed(source))
        desk.bucket.is_signed_right()


def killed_at(folder, moto, place):
    """A store that ends before or after a step of an upload publishes once after its start."""
    with BucketDesk(folder, moto) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        desk.store.stop()
        desk.store.serve(OPENSTOREKIT_CRASH_AT=place)
        uploading = desk.start_upload(source)
        desk.store.process.wait(timeout=60)
        desk.store.serve()
        desk.ends(uploading)
        desk.has_published_once(packed(source))
        desk.bucket.is_signed_right()


def abandoned(folder, moto):
    """An abandoned upload, and bytes that no row names, leave the bucket; keys of others stay."""
    with BucketDesk(folder, moto) as desk:
        bucket = desk.bucket
        bucket.fail(part_number(2), times=ALWAYS, status=503, code="SlowDown")
        uploading = desk.start_upload(package(desk.folder / "book", APPLE, files={"book.bin": 2 * PART}))
        wait_until("a part was received", desk.received)
        uploading.kill()
        uploading.communicate()
        key, = bucket.uploads()
        desk.control("abandon-content-upload", upload=desk.store.rows("SELECT upload_id FROM content_upload")[0][0])
        wait_until("the upload leaves the bucket", lambda: not bucket.uploads())
        expect(desk.received() is None and not bucket.objects(), "the upload has left something")

        beginning = key.rsplit("/", 2)[0]
        others = [f"{beginning}/readme.txt", "shop/other", "other"]
        for name in [f"{beginning}/{'1' * 32}/{'b' * 64}", *others]:
            bucket.client.put_object(Bucket=bucket.name, Key=name, Body=b"bytes")
        for name in [f"{beginning}/{'0' * 32}/{'a' * 64}", "shop/unfinished"]:
            bucket.client.create_multipart_upload(Bucket=bucket.name, Key=name)
        desk.store.stop()
        desk.store.serve()
        wait_until("the bytes without a row are removed", lambda: sorted(bucket.objects()) == sorted(others))
        wait_until("the upload without a row is removed", lambda: bucket.uploads() == ["shop/unfinished"])
        bucket.is_signed_right()


def flaky(folder, moto):
    """A bucket that answers each request with 500 first: nothing fails."""
    with BucketDesk(folder, moto) as desk:
        failed = set()

        def is_first(seen):
            kind = (seen.method, seen.path, seen.query.get("partNumber"), tuple(sorted(seen.query)),
                    seen.headers.get("range"))
            return kind not in failed and not failed.add(kind)

        desk.bucket.fail(is_first, times=ALWAYS, status=500)
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        desk.json("upload", source)
        desk.has_published_once(packed(source))
        desk.json("remove", APPLE)
        expect(not desk.bucket.objects(), "the object is left")
        expect(desk.bucket.faults[0].used > 5, "the bucket hasn't failed")


def refused(folder, moto):
    """Errors that don't pass name the bucket, the answer and the remedy, and lose nothing."""
    with BucketDesk(folder, moto) as desk:
        bucket = desk.bucket
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        desk.store.stop()
        for status, code, *words in [(403, "AccessDenied", "docs/content.md"), (507, "InsufficientStorage", "Make room", "again")]:
            fault = bucket.fail(part_number(2), times=ALWAYS, status=status, code=code)
            ran = desk.offline("upload", source)
            fault.rest = 0
            expect(ran.returncode == 1, f"an upload with {code} ended with {ran.returncode}")
            complains(ran.stderr, bucket.name, bucket.endpoint, f"{status} {code}", *words)
            expect(desk.received() == PART, f"after {code} {desk.received()} bytes are received")
        for secret, words in [
            ({KEYS[1]: "another"}, ["SignatureDoesNotMatch", "secret key"]),
            ({KEYS[0]: "another"}, ["InvalidAccessKeyId", "access key"]),
        ]:
            ran = desk.offline("upload", source, **secret)
            expect(ran.returncode == 1, f"another key: {ran.stdout}")
            complains(ran.stderr, bucket.name, *words)
            expect(os.environ[KEYS[1]] not in ran.stderr + ran.stdout, "a secret is printed")
        nowhere = bucket.address(endpoint=f"http://127.0.0.1:{free_port()}")
        ran = desk.offline("upload", source, address=nowhere)
        complains(ran.stderr, bucket.name, "refused|can be made", "endpoint")
        ran = desk.offline("upload", source, address=bucket.address().replace(bucket.name, "no-such-bucket"))
        complains(ran.stderr, "no-such-bucket", "NoSuchBucket|NoSuchUpload|begun|no such upload")

        desk.store.serve()
        desk.json("upload", source)
        desk.has_published_once(packed(source))
        fault = bucket.fail(reads_object, times=ALWAYS, status=403, code="AccessDenied")
        download = desk.download()
        status, _, body = desk.get(download.answer["address"])
        expect(status == 503 and b"log" in body and bucket.name.encode() not in body, f"{status} {body}")
        wait_until("the log names the bucket", lambda: desk.logs("AccessDenied", bucket.name, "docs/content.md"))
        fault.rest = 0
        expect(os.environ[KEYS[1]] not in desk.store.log.read_text(), "a secret is in the log")
        download.read()
        download.check(packed(source))


def lost(folder, moto):
    """An upload that the bucket has lost begins again, in the same command."""
    with BucketDesk(folder, moto) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        desk.bucket.fail(part_number(2), status=404, code="NoSuchUpload")
        desk.json("upload", source)
        expect(len(desk.bucket.requests(begins)) == 2, "the upload wasn't begun again")
        desk.has_published_once(packed(source))


def completion(folder, moto):
    """An error in a completion whose status is 200, and a completion whose answer is lost, are repeated."""
    with BucketDesk(folder, moto) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        desk.bucket.fail(completes, other=b"<Error><Code>InternalError</Code></Error>")
        desk.bucket.fail(completes, cut=20)
        desk.json("upload", source)
        expect(all(fault.used for fault in desk.bucket.faults), "a fault wasn't used")
        desk.has_published_once(packed(source))


def slow(folder, moto):
    """A read that isn't answered is repeated, and the download goes on."""
    with BucketDesk(folder, moto) as desk:
        source = package(desk.folder / "book", APPLE)
        desk.json("upload", source)
        fault = desk.bucket.fail(reads_object, hold=threading.Event())
        download = desk.download()
        status, _, body = desk.get(download.answer["address"])
        expect(fault.used and status == 200 and body == packed(source), f"{status} with {len(body)} bytes")


def cut(folder, moto):
    """A connection to the bucket that is cut goes on at the missing byte, of the same object."""
    with BucketDesk(folder, moto) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART})
        desk.json("upload", source)
        sent = (100_000, 1_000_000, 5)
        for count in sent:
            desk.bucket.fail(reads_object, cut=count)
        before = len(desk.bucket.requests(reads_object))
        status, _, body = desk.get(desk.download().answer["address"])
        expect(status == 200 and body == packed(source), f"{status} with {len(body)} bytes")
        reads = desk.bucket.requests(reads_object)[before:]
        expect(len(reads) == 4, f"{len(reads)} reads")
        expect(all("if-match" in seen.headers for seen in reads[1:]), "another object could follow")
        places = [int(seen.headers["range"].removeprefix("bytes=").split("-")[0]) for seen in reads]
        # The end of a connection may discard bytes that the store hasn't read.
        goes_on = all(0 <= after - place <= count for place, after, count in zip(places, places[1:], sent))
        expect(places[0] == 0 < places[-1] and goes_on, f"the reads begin at {places}")


def other_bytes(folder, moto):
    """Other bytes than were uploaded are neither published nor served as a complete content."""
    with BucketDesk(folder, moto) as desk:
        bucket = desk.bucket
        source = package(desk.folder / "book", APPLE, files={"book.bin": 300_000})
        bucket.fail(reads_object, alter=100_000)
        ran = desk.run("upload", source)
        expect(ran.returncode == 1, "altered bytes were published")
        complains(ran.stderr, "checksum")
        expect(not bucket.objects() and not bucket.uploads() and desk.received() is None, "a refused upload is left")
        desk.json("upload", source)
        address = desk.download().answer["address"]
        content = packed(source)
        bucket.fail(reads_object, alter=100_000)
        try:
            status, _, body = desk.get(address)
            expect(False, f"altered bytes are served: {status} with {len(body)} bytes")
        except (OSError, ValueError, http.client.IncompleteRead):
            pass  # The connection ends before the last bytes.
        wait_until("the log says it", lambda: desk.logs("another checksum"))
        bucket.fail(reads_object, other=b"<html>A page.</html>")
        status, _, body = desk.get(address)
        expect(status == 503, f"a page is served: {status} {body}")
        status, _, body = desk.get(address)
        expect(status == 200 and body == content, f"after the faults: {status}")


def redirect(folder, moto):
    """Downloads are redirected to the bucket, for five minutes at most; the store answers all other requests."""
    with BucketDesk(folder, moto, "--content-redirect") as desk:
        bucket = desk.bucket
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        content = packed(source)
        desk.json("upload", source)
        reads = len(bucket.requests(reads_object))
        download = desk.download()
        address, tag = download.answer["address"], f'"{download.answer["checksum"]}"'
        status, fields, _ = desk.get(address, Range="bytes=5-")
        expect(status == 302 and fields["Cache-Control"] == "no-store", f"{status} {fields}")
        location = fields["Location"]
        query = dict(urllib.parse.parse_qsl(location.partition("?")[2]))
        expect(location.startswith(f"{bucket.endpoint}/{bucket.name}/shop/"), location)
        expect(0 < int(query["X-Amz-Expires"]) <= 300, f"the address is valid for {query['X-Amz-Expires']} seconds")
        expect(os.environ[KEYS[1]] not in location, "the secret is in the address")

        received = b""
        for limit in (1, 70_000, PART - 80_000, 10):
            request = urllib.request.Request(location, headers={"Range": f"bytes={len(received)}-"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                expect(answer.status == 206, f"the bucket answers {answer.status}")
                received += answer.read(limit)
        # urllib follows the store's redirect.
        request = urllib.request.Request(desk.store.url + address, headers={"Range": f"bytes={len(received)}-"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            expect(answer.url.startswith(bucket.endpoint), "the download isn't redirected")
            received += answer.read()
        expect(received == content, f"{len(received)} bytes were downloaded")
        presigned = bucket.requests(lambda seen: seen.is_presigned)
        expect(len(presigned) == 5 and not any("authorization" in seen.headers for seen in presigned),
               f"{len(presigned)} requests at signed addresses")
        expect(len(bucket.requests(reads_object)) == reads + 5, "the store has read bytes itself")

        for method, wanted, headers in [
            ("HEAD", 200, {}), ("GET", 304, {"If_None_Match": tag}), ("GET", 412, {"If_Match": '"other"'}),
            ("GET", 416, {"Range": f"bytes={len(content)}-"}), ("GET", 302, {"Range": "bytes=1-2", "If_Range": tag}),
        ]:
            status, fields, body = desk.get(address, method, **headers)
            expect(status == wanted and not body, f"{method} {headers} is answered {status}, not {wanted}")
            expect(status in (302, 416) or fields["ETag"] == tag, f"{method} {headers} has the tag {fields['ETag']}")
        status, fields, body = desk.get(address, Range="bytes=1-2", If_Range='"other"')
        expect(status == 200 and body == content, "a part of other content isn't answered with the whole")

        bucket.is_signed_right()
        longer = location.replace(f"X-Amz-Expires={query['X-Amz-Expires']}", "X-Amz-Expires=3600")
        for wrong in (longer, location.replace("/shop/", "/shop2/")):
            try:
                urllib.request.urlopen(wrong, timeout=60)
                expect(False, "a changed address is answered")
            except urllib.error.HTTPError as error:
                expect(error.code == 403, f"a changed address is answered {error.code}")
        storectl("refund", download.transaction, "--data", desk.store.data, "--store", desk.store.url)
        status, fields, _ = desk.get(address)
        expect(status == 403 and "Location" not in fields, f"after the refund: {status}")


def app(folder, moto):
    """An app downloads from the bucket, and goes on at the missing byte when that connection is cut."""
    book = f"{BUNDLE}.RecipeBook"
    with Bucket(moto, f"content-{next(numbers)}") as bucket, Market(folder) as market:
        market.store.arguments = ["--content", bucket.address(), "--content-redirect"]
        market.open()
        source = package(Path(folder) / "book", book, files={"pictures": PART})
        storectl("content", "upload", source, "--bundle-id", BUNDLE, *market.store.where, "--store", market.store.url)
        bucket.fail(lambda seen: seen.is_presigned, cut=3_000_000)
        device = market.app()
        market.launch(device)
        market.purchase(device, book)
        found = wait_until("the book is complete", lambda: [
            path for path in device.defaults.glob("**/pictures") if ".partial" not in str(path)])
        expect(found[0].read_bytes() == (source / "Contents" / "pictures").read_bytes(), "the book has other bytes")
        reads = bucket.requests(lambda seen: seen.is_presigned)
        expect(len(reads) >= 2 and not reads[-1].headers["range"].startswith("bytes=0-"), f"{len(reads)} reads")
        for seen in reads:
            expect(not {"authorization", "cookie", "if-range"} & set(seen.headers), f"the app sends {seen.headers}")
        bucket.is_signed_right()


def settings(folder, moto):
    """Wrong settings of a bucket end storectl serve with the remedy."""
    good = "s3://fruit/shop?endpoint=http://127.0.0.1:9000"
    without = {name: value for name, value in os.environ.items() if name not in KEYS and not name.startswith("AWS_")}
    for arguments, environment, *words in [
        (["--content", good], without, "OPENSTOREKIT_BUCKET_ACCESS_KEY"),
        (["--content", good], {**without, KEYS[0]: "only-one"}, KEYS[0], "set both"),
        (["--content", "s3://fruit?other=1"], None, "endpoint", "region"),
        (["--content", "s3://a:b@fruit"], None, "environment"),
        (["--content", "s3://fruit?endpoint=ftp://fruit"], None, "http://"),
        (["--content-redirect"], None, "--content s3://"),
        (["--content-redirect", "--content", folder], None, "--content s3://"),
    ]:
        ran = subprocess.run(
            [str(word) for word in (
                BINARIES / "storectl", "serve", "--data", Path(folder) / "store", "--listen",
                f"127.0.0.1:{free_port()}", "--configuration", CONFIGURATION, "--bundle-id", BUNDLE, *arguments)],
            text=True, capture_output=True, timeout=60, env=environment or dict(os.environ))
        expect(ran.returncode not in (0, None), f"{arguments} is taken")
        complains(ran.stderr, *words)


def scenarios(moto):
    yield "bucket: commands, downloads and signatures", commands, {"moto": moto}
    yield "bucket: an upload goes on when the store was killed", store_killed, {"moto": moto}
    for step in STEPS:
        for place in [step] if ":" in step else [f"{step}:before", f"{step}:after"]:
            yield f"bucket: the store is killed at {place}", killed_at, {"moto": moto, "place": place}
    yield "bucket: abandoned uploads leave the bucket", abandoned, {"moto": moto}
    yield "bucket: each request fails once", flaky, {"moto": moto}
    yield "bucket: errors name the bucket and the remedy", refused, {"moto": moto}
    yield "bucket: a lost upload begins again", lost, {"moto": moto}
    yield "bucket: a completion that fails after its head", completion, {"moto": moto}
    yield "bucket: a read without an answer is repeated", slow, {"moto": moto}
    yield "bucket: a cut read goes on at the missing byte", cut, {"moto": moto}
    yield "bucket: other bytes aren't served", other_bytes, {"moto": moto}
    yield "bucket: downloads by redirect", redirect, {"moto": moto}
    yield "bucket: an app downloads by redirect", app, {"moto": moto}
    yield "bucket: wrong settings", settings, {"moto": moto}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="bucket.") as folder, Moto(folder) as moto:
        os.environ.update(moto.environment)
        sys.exit(play_all(scenarios(moto), sys.argv[1:]))
