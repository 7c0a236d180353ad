# SPDX-License-Identifier: Apache-2.0
"""Hosted content in a bucket: uploads that survive the store's death, downloads, and a bucket that misbehaves."""

import http.client
import itertools
import json
import os
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from unittest import mock

import pytest

from bucket_server import Bucket, Moto, completes, reads_object, writes_part
from content_desk import PLACES, Desk
from content_package import Download, bought, package, packed
from harness import APPLE, BUNDLE, EMAIL, PASSWORD, PATIENCE, Market, complains, exchange, wait_until
from processes import BINARIES, CONFIGURATION, free_port, storectl

pytestmark = pytest.mark.xdist_group("bucket")

PART = 8 << 20
KEYS = ("OPENSTOREKIT_BUCKET_ACCESS_KEY", "OPENSTOREKIT_BUCKET_SECRET_KEY")
ALWAYS = 1 << 30
numbers = itertools.count(1)


class BucketDesk(Desk):
    """A store with a bucket of its own, its seller and a device."""

    def __init__(self, folder, moto, *options, **others):
        super().__init__(folder, **others)
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

    def offline(self, verb, *arguments, address=None, **environment):
        """A command for the stopped store, which changes its bucket within the command's process."""
        return subprocess.run(
            [str(word) for word in (
                BINARIES / "storectl", "content", verb, *arguments, "--bundle-id", BUNDLE, *self.store.where,
                "--content", address or self.bucket.address())],
            text=True, capture_output=True, timeout=PATIENCE, env={**os.environ, **environment})

    def control(self, verb, **message):
        token = (self.store.data / "control.token").read_text().strip()
        status, text = exchange(self.store, "POST", f"/control/v1/{verb}", json.dumps(message).encode(), {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        assert status == 200, f"{verb} was answered {status}: {text}"

    def download(self, product=APPLE):
        """Buys a product, and begins its download."""
        transaction = bought(self.device, product, EMAIL, PASSWORD)
        return Download(self.device, transaction["transactionIdentifier"])

    def get(self, address, method="GET", **fields):
        """Status, fields and bytes of the store's own answer; a redirect isn't followed."""
        request = urllib.request.Request(self.store.url + address, method=method, headers={
            name.replace("_", "-"): value for name, value in fields.items()})
        try:
            with NOT_FOLLOWING.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def logs(self, *words):
        text = self.store.log.read_text(errors="replace")
        return all(word in text for word in words)


@pytest.fixture(scope="module")
def moto():
    """A server of buckets, whose keys all stores get."""
    with tempfile.TemporaryDirectory(prefix="bucket.") as folder, Moto(folder) as moto:
        with mock.patch.dict(os.environ, moto.environment):
            yield moto


@pytest.fixture
def desk(folder, moto):
    with BucketDesk(folder, moto) as desk:
        yield desk
        print(f"--- the store\n{desk.store.tail()}")


class NotFollowing(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


NOT_FOLLOWING = urllib.request.build_opener(NotFollowing)


def begins(seen):
    return seen.method == "POST" and "uploads" in seen.query


def part_number(number):
    return lambda seen: writes_part(seen) and seen.query["partNumber"] == str(number)


def test_commands_downloads_and_signatures(desk):
    """Uploads in parts, downloads, versions and removal; every signature is botocore's."""
    bucket = desk.bucket
    source = package(desk.folder / "book", APPLE, files={"book.bin": 2 * PART + 1000})
    desk.json("upload", source)
    (key, size), = bucket.objects().items()
    assert key.startswith("shop/") and "/objects/" in key, f"the key is {key}"
    assert bucket.bytes_of(key) == packed(source) and size > 2 * PART, "the object isn't the packed content"
    parts = bucket.requests(writes_part)
    assert [len(seen.body) for seen in parts][:2] == [PART, PART] and len(parts) == 3, f"{len(parts)} parts"
    desk.json("upload", source)
    assert len(bucket.requests(writes_part)) == 3, "the same bytes were sent twice"
    desk.has_published_once(packed(source))

    download = desk.download()
    for limit in (1, 70_000, PART, 7):
        download.read(limit)
    download.read()
    download.check(packed(source))
    second = package(desk.folder / "second", APPLE, "2.0", {"a.txt": b"b"})
    desk.store.stop()
    ran = desk.offline("upload", second)
    assert ran.returncode == 0, f"an upload to a stopped store: {ran.stderr}"
    desk.store.serve()
    assert [line["version"] for line in desk.json("versions", APPLE)] == ["1.0", "2.0"], "a version is missing"
    desk.downloads(packed(second))
    desk.json("remove", APPLE, "--version", "1.0")
    assert len(bucket.objects()) == 1 and key not in bucket.objects(), "a removed version has its object"
    desk.json("remove", APPLE)
    assert not bucket.objects() and not bucket.uploads(), "bytes are left in the bucket"
    bucket.is_signed_right()


def test_an_upload_goes_on_when_the_store_was_killed(desk):
    """A store that is killed while a part is sent goes on with the next part, in the same multipart upload."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": 3 * PART + 1000})
    hold = threading.Event()
    fault = desk.bucket.fail(part_number(3), hold=hold)
    uploading = desk.start_upload(source)
    wait_until("the third part is under way", lambda: fault.used)
    assert desk.received() == 2 * PART, f"{desk.received()} bytes were received"
    assert not desk.bucket.objects(), "half an upload is an object"
    status, answer = desk.device.call(
        "content", transaction=bought(desk.device, APPLE, EMAIL, PASSWORD)["transactionIdentifier"])
    assert status == 404 and answer["error"]["code"] == "content-not-found", f"half an upload is served: {answer}"
    desk.store.kill()
    hold.set()
    desk.serve_again(uploading)
    desk.ends(uploading)
    assert len(desk.bucket.requests(begins)) == 1, "the upload was begun again"
    for number in (1, 2):
        assert len(desk.bucket.requests(part_number(number))) == 1, f"part {number} was sent again"
    desk.has_published_once(packed(source))
    desk.bucket.is_signed_right()


@pytest.mark.sampled
@pytest.mark.parametrize("place", PLACES)
def test_the_store_is_killed_at_a_step_of_an_upload(folder, moto, place):
    """A store that ends before or after a step of an upload publishes once after its start."""
    with BucketDesk(folder, moto, crash_at=place) as desk:
        source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
        uploading = desk.start_upload(source)
        desk.is_killed(uploading)
        desk.ends(uploading)
        desk.has_published_once(packed(source))
        desk.bucket.is_signed_right()


def test_abandoned_uploads_leave_the_bucket(desk):
    """An abandoned upload, and bytes that no row names, leave the bucket; keys of others stay."""
    bucket = desk.bucket
    bucket.fail(part_number(2), times=ALWAYS, status=503, code="SlowDown")
    uploading = desk.start_upload(package(desk.folder / "book", APPLE, files={"book.bin": 2 * PART}))
    wait_until("a part was received", desk.received)
    uploading.kill()
    uploading.communicate()
    key, = bucket.uploads()
    desk.control("abandon-content-upload", upload=desk.store.rows("SELECT upload_id FROM content_upload")[0][0])
    wait_until("the upload leaves the bucket", lambda: not bucket.uploads())
    assert desk.received() is None and not bucket.objects(), "the upload has left something"

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


def test_each_request_fails_once(desk):
    """A bucket that answers each request with 500 first: nothing fails."""
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
    assert not desk.bucket.objects(), "the object is left"
    assert desk.bucket.faults[0].used > 5, "the bucket hasn't failed"


def test_errors_name_the_bucket_and_the_remedy(desk):
    """Errors that don't pass name the bucket, the answer and the remedy, and lose nothing."""
    bucket = desk.bucket
    source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
    desk.store.stop()
    for status, code, *words in [
        (403, "AccessDenied", "docs/content.md"), (507, "InsufficientStorage", "Make room", "again"),
    ]:
        fault = bucket.fail(part_number(2), times=ALWAYS, status=status, code=code)
        ran = desk.offline("upload", source)
        fault.rest = 0
        assert ran.returncode == 1, f"an upload with {code} ended with {ran.returncode}"
        complains(ran.stderr, bucket.name, bucket.endpoint, f"{status} {code}", *words)
        assert desk.received() == PART, f"after {code} {desk.received()} bytes are received"
    for secret, words in [
        ({KEYS[1]: "another"}, ["SignatureDoesNotMatch", "secret key"]),
        ({KEYS[0]: "another"}, ["InvalidAccessKeyId", "access key"]),
    ]:
        ran = desk.offline("upload", source, **secret)
        assert ran.returncode == 1, f"another key: {ran.stdout}"
        complains(ran.stderr, bucket.name, *words)
        assert os.environ[KEYS[1]] not in ran.stderr + ran.stdout, "a secret is printed"
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
    assert status == 503 and b"log" in body and bucket.name.encode() not in body, f"{status} {body}"
    wait_until("the log names the bucket", lambda: desk.logs("AccessDenied", bucket.name, "docs/content.md"))
    fault.rest = 0
    assert os.environ[KEYS[1]] not in desk.store.log.read_text(), "a secret is in the log"
    download.read()
    download.check(packed(source))


def test_a_lost_upload_begins_again(desk):
    """An upload that the bucket has lost begins again, in the same command."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
    desk.bucket.fail(part_number(2), status=404, code="NoSuchUpload")
    desk.json("upload", source)
    assert len(desk.bucket.requests(begins)) == 2, "the upload wasn't begun again"
    desk.has_published_once(packed(source))


def test_a_completion_fails_after_its_head(desk):
    """An error in a completion whose status is 200, and a completion whose answer is lost, are repeated."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": PART + 1000})
    desk.bucket.fail(completes, other=b"<Error><Code>InternalError</Code></Error>")
    desk.bucket.fail(completes, cut=20)
    desk.json("upload", source)
    assert all(fault.used for fault in desk.bucket.faults), "a fault wasn't used"
    desk.has_published_once(packed(source))


@pytest.mark.slow
def test_a_read_without_an_answer_is_repeated(desk):
    """A read that isn't answered is repeated, and the download goes on."""
    source = package(desk.folder / "book", APPLE)
    desk.json("upload", source)
    fault = desk.bucket.fail(reads_object, hold=threading.Event())
    download = desk.download()
    status, _, body = desk.get(download.answer["address"])
    assert fault.used and status == 200 and body == packed(source), f"{status} with {len(body)} bytes"


def test_a_cut_read_goes_on_at_the_missing_byte(desk):
    """A connection to the bucket that is cut goes on at the missing byte, of the same object."""
    source = package(desk.folder / "book", APPLE, files={"book.bin": PART})
    desk.json("upload", source)
    sent = (100_000, 1_000_000, 5)
    for count in sent:
        desk.bucket.fail(reads_object, cut=count)
    before = len(desk.bucket.requests(reads_object))
    status, _, body = desk.get(desk.download().answer["address"])
    assert status == 200 and body == packed(source), f"{status} with {len(body)} bytes"
    reads = desk.bucket.requests(reads_object)[before:]
    assert len(reads) == 4, f"{len(reads)} reads"
    assert all("if-match" in seen.headers for seen in reads[1:]), "another object could follow"
    places = [int(seen.headers["range"].removeprefix("bytes=").split("-")[0]) for seen in reads]
    # The end of a connection may discard bytes that the store hasn't read.
    goes_on = all(0 <= after - place <= count for place, after, count in zip(places, places[1:], sent))
    assert places[0] == 0 < places[-1] and goes_on, f"the reads begin at {places}"


def test_other_bytes_are_not_served(desk):
    """Other bytes than were uploaded are neither published nor served as a complete content."""
    bucket = desk.bucket
    source = package(desk.folder / "book", APPLE, files={"book.bin": 300_000})
    bucket.fail(reads_object, alter=100_000)
    ran = desk.run("upload", source)
    assert ran.returncode == 1, "altered bytes were published"
    complains(ran.stderr, "checksum")
    assert not bucket.objects() and not bucket.uploads() and desk.received() is None, "a refused upload is left"
    desk.json("upload", source)
    address = desk.download().answer["address"]
    content = packed(source)
    bucket.fail(reads_object, alter=100_000)
    try:
        status, _, body = desk.get(address)
        assert False, f"altered bytes are served: {status} with {len(body)} bytes"
    except (OSError, ValueError, http.client.IncompleteRead):
        pass  # The connection ends before the last bytes.
    wait_until("the log says it", lambda: desk.logs("another checksum"))
    bucket.fail(reads_object, other=b"<html>A page.</html>")
    status, _, body = desk.get(address)
    assert status == 503, f"a page is served: {status} {body}"
    status, _, body = desk.get(address)
    assert status == 200 and body == content, f"after the faults: {status}"


def test_downloads_by_redirect(folder, moto):
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
        assert status == 302 and fields["Cache-Control"] == "no-store", f"{status} {fields}"
        location = fields["Location"]
        query = dict(urllib.parse.parse_qsl(location.partition("?")[2]))
        assert location.startswith(f"{bucket.endpoint}/{bucket.name}/shop/"), location
        assert 0 < int(query["X-Amz-Expires"]) <= 300, f"the address is valid for {query['X-Amz-Expires']} seconds"
        assert os.environ[KEYS[1]] not in location, "the secret is in the address"

        received = b""
        for limit in (1, 70_000, PART - 80_000, 10):
            request = urllib.request.Request(location, headers={"Range": f"bytes={len(received)}-"})
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                assert answer.status == 206, f"the bucket answers {answer.status}"
                received += answer.read(limit)
        # urllib follows the store's redirect.
        request = urllib.request.Request(desk.store.url + address, headers={"Range": f"bytes={len(received)}-"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert answer.url.startswith(bucket.endpoint), "the download isn't redirected"
            received += answer.read()
        assert received == content, f"{len(received)} bytes were downloaded"
        presigned = bucket.requests(lambda seen: seen.is_presigned)
        assert len(presigned) == 5 and not any("authorization" in seen.headers for seen in presigned), (
            f"{len(presigned)} requests at signed addresses")
        assert len(bucket.requests(reads_object)) == reads + 5, "the store has read bytes itself"

        for method, wanted, headers in [
            ("HEAD", 200, {}), ("GET", 304, {"If_None_Match": tag}), ("GET", 412, {"If_Match": '"other"'}),
            ("GET", 416, {"Range": f"bytes={len(content)}-"}), ("GET", 302, {"Range": "bytes=1-2", "If_Range": tag}),
        ]:
            status, fields, body = desk.get(address, method, **headers)
            assert status == wanted and not body, f"{method} {headers} is answered {status}, not {wanted}"
            assert status in (302, 416) or fields["ETag"] == tag, f"{method} {headers} has the tag {fields['ETag']}"
        status, fields, body = desk.get(address, Range="bytes=1-2", If_Range='"other"')
        assert status == 200 and body == content, "a part of other content isn't answered with the whole"

        bucket.is_signed_right()
        longer = location.replace(f"X-Amz-Expires={query['X-Amz-Expires']}", "X-Amz-Expires=3600")
        for wrong in (longer, location.replace("/shop/", "/shop2/")):
            try:
                urllib.request.urlopen(wrong, timeout=PATIENCE)
                assert False, "a changed address is answered"
            except urllib.error.HTTPError as error:
                assert error.code == 403, f"a changed address is answered {error.code}"
        storectl("refund", download.transaction, "--data", desk.store.data, "--store", desk.store.url)
        status, fields, _ = desk.get(address)
        assert status == 403 and "Location" not in fields, f"after the refund: {status}"


def test_an_app_downloads_by_redirect(folder, moto):
    """An app downloads from the bucket, and goes on at the missing byte when that connection is cut."""
    book = f"{BUNDLE}.RecipeBook"
    with Bucket(moto, f"content-{next(numbers)}") as bucket, Market(folder) as market:
        market.store.arguments = ["--content", bucket.address(), "--content-redirect"]
        market.open()
        source = package(folder / "book", book, files={"pictures": PART})
        storectl("content", "upload", source, "--bundle-id", BUNDLE, *market.store.where, "--store", market.store.url)
        bucket.fail(lambda seen: seen.is_presigned, cut=3_000_000)
        device = market.app()
        market.launch(device)
        market.purchase(device, book)
        found = wait_until("the book is complete", lambda: [
            path for path in device.defaults.glob("**/pictures") if ".partial" not in str(path)])
        assert found[0].read_bytes() == (source / "Contents" / "pictures").read_bytes(), "the book has other bytes"
        reads = bucket.requests(lambda seen: seen.is_presigned)
        assert len(reads) >= 2 and not reads[-1].headers["range"].startswith("bytes=0-"), f"{len(reads)} reads"
        for seen in reads:
            assert not {"authorization", "cookie", "if-range"} & set(seen.headers), f"the app sends {seen.headers}"
        bucket.is_signed_right()


def test_wrong_settings(folder, moto):
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
                BINARIES / "storectl", "serve", "--data", folder / "store", "--listen",
                f"127.0.0.1:{free_port()}", "--configuration", CONFIGURATION, "--bundle-id", BUNDLE, *arguments)],
            text=True, capture_output=True, timeout=PATIENCE, env=environment or dict(os.environ))
        assert ran.returncode not in (0, None), f"{arguments} is taken"
        complains(ran.stderr, *words)
