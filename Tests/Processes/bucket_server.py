# SPDX-License-Identifier: Apache-2.0
"""A bucket for the tests: moto's server with authentication on, and a proxy in front of it that can misbehave.

The proxy compares the signature of each request with the one that botocore makes of it. It refuses a request whose
signature is another one, as a bucket does.
"""

import hashlib
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import urllib.parse
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from harness import PATIENCE, Failed, ask, wait_until
from processes import free_port

REGION = "eu-central-1"
# The requests whose signature moto doesn't check: those that make the user with its keys.
UNCHECKED_REQUESTS = 3


class Moto:
    """moto's server in a process of its own, and the keys of a user who may do anything in its buckets."""

    def __init__(self, folder):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(folder) / "moto.log"
        self.process = None
        self.keys = Credentials("unchecked", "unchecked")

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)], stdout=log, stderr=log,
                env={**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(UNCHECKED_REQUESTS)})
        try:
            wait_until("moto answers", self.answers)
            iam = self.client("iam")
            iam.create_user(UserName="store")
            rights = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
            iam.put_user_policy(UserName="store", PolicyName="all", PolicyDocument=json.dumps(rights))
            made = iam.create_access_key(UserName="store")["AccessKey"]
            self.keys = Credentials(made["AccessKeyId"], made["SecretAccessKey"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def answers(self):
        if self.process.poll() is not None:
            raise Failed(f"moto has ended:\n{self.log.read_text(errors='replace')}")
        try:
            return ask("GET", f"{self.url}/moto-api/data.json")[0] == 200
        except OSError:
            return False

    def client(self, service):
        return boto3.client(
            service, endpoint_url=self.url, region_name=REGION, aws_access_key_id=self.keys.access_key,
            aws_secret_access_key=self.keys.secret_key)

    @property
    def environment(self):
        """The keys as a store reads them."""
        return {"OPENSTOREKIT_BUCKET_ACCESS_KEY": self.keys.access_key,
                "OPENSTOREKIT_BUCKET_SECRET_KEY": self.keys.secret_key}


class Seen:
    """A request that has passed the proxy."""

    def __init__(self, method, target, headers, body):
        self.method, self.target, self.body = method, target, body
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.path, _, query = target.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def __str__(self):
        return f"{self.method} {self.target.split('X-Amz-')[0]}"

    @property
    def is_presigned(self):
        return "X-Amz-Signature" in self.query

    def wrong_signature(self, keys):
        """The reason for which a bucket refuses the request's signature; `None` for a right one."""
        return self.wrong_query(keys) if self.is_presigned else self.wrong_header(keys)

    def wrong_header(self, keys):
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8}/([^/]+)/s3/aws4_request), SignedHeaders=([^,]+), "
            r"Signature=([0-9a-f]{64})", self.headers.get("authorization", ""))
        if not found:
            return "AccessDenied"
        access_key, _, region, names, signature = found.groups()
        if access_key != keys.access_key:
            return "InvalidAccessKeyId"
        signed = names.split(";")
        missing = {"host", "x-amz-date", "x-amz-content-sha256"} - set(signed)
        missing |= {name for name in self.headers if name.startswith("x-amz-")} - set(signed)
        if missing:
            return "AccessDenied"
        if self.headers["x-amz-content-sha256"] != hashlib.sha256(self.body).hexdigest():
            return "XAmzContentSHA256Mismatch"
        request = AWSRequest(
            method=self.method, url=f"http://{self.headers['host']}{self.target}", data=self.body,
            headers={name: self.headers[name] for name in signed})
        request.context["timestamp"] = self.headers["x-amz-date"]
        expected = self.signature(S3SigV4Auth(keys, "s3", region), request)
        return None if signature == expected else "SignatureDoesNotMatch"

    def wrong_query(self, keys):
        if "authorization" in self.headers:
            return "InvalidRequest"
        begun = datetime.strptime(self.query["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        lifetime = int(self.query["X-Amz-Expires"])
        now = datetime.now(timezone.utc)
        if not begun - timedelta(minutes=1) <= now <= begun + timedelta(seconds=lifetime):
            return "AccessDenied"
        unsigned = "&".join(
            item for item in self.target.partition("?")[2].split("&") if not item.startswith("X-Amz-Signature="))
        request = AWSRequest(method=self.method, url=f"http://{self.headers['host']}{self.path}?{unsigned}",
                             headers={"host": self.headers["host"]})
        request.context["timestamp"] = self.query["X-Amz-Date"]
        auth = S3SigV4QueryAuth(keys, "s3", REGION, expires=lifetime)
        return None if self.query["X-Amz-Signature"] == self.signature(auth, request) else "SignatureDoesNotMatch"

    @staticmethod
    def signature(auth, request):
        return auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)


class Fault:
    """A fault of the bucket, for the next requests that it applies to."""

    def __init__(self, applies, times=1, status=None, code="InternalError", cut=None, alter=None, other=None,
                 hold=None):
        self.applies, self.rest = applies, times
        self.status, self.code, self.cut, self.alter, self.other, self.hold = status, code, cut, alter, other, hold
        self.used = 0


def writes_part(seen):
    return seen.method == "PUT" and "partNumber" in seen.query


def completes(seen):
    return seen.method == "POST" and "uploadId" in seen.query


def reads_object(seen):
    return seen.method == "GET" and "/objects/" in seen.path and "uploadId" not in seen.query


class Bucket:
    """A bucket of moto's server, behind a proxy of its own."""

    def __init__(self, moto, name):
        self.moto, self.name = moto, name
        self.seen, self.faults, self.wrong = [], [], []
        self.lock = threading.Lock()
        self.server = None

    def __enter__(self):
        self.client = self.moto.client("s3")
        self.client.create_bucket(Bucket=self.name, CreateBucketConfiguration={"LocationConstraint": REGION})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Proxying", (Proxy,), {"bucket": self}))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        for fault in self.faults:
            if fault.hold:
                fault.hold.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def address(self, prefix="shop", endpoint=None):
        """The value of --content."""
        return f"s3://{self.name}/{prefix}?endpoint={endpoint or self.endpoint}&region={REGION}"

    def fail(self, applies, **fault):
        """Adds a fault, and returns it."""
        with self.lock:
            self.faults.append(Fault(applies, **fault))
            return self.faults[-1]

    def fault_of(self, seen):
        with self.lock:
            self.seen.append(seen)
            for fault in self.faults:
                if fault.rest > 0 and fault.applies(seen):
                    fault.rest -= 1
                    fault.used += 1
                    return fault
        return None

    def requests(self, applies=lambda seen: True):
        """The requests so far."""
        with self.lock:
            return [seen for seen in self.seen if applies(seen)]

    def objects(self):
        """The keys and the sizes of all objects."""
        listed = self.client.list_objects_v2(Bucket=self.name)
        return {found["Key"]: found["Size"] for found in listed.get("Contents", [])}

    def bytes_of(self, key):
        return self.client.get_object(Bucket=self.name, Key=key)["Body"].read()

    def uploads(self):
        """The keys of the multipart uploads that aren't complete."""
        return [found["Key"] for found in self.client.list_multipart_uploads(Bucket=self.name).get("Uploads", [])]

    def is_signed_right(self):
        assert self.seen and not self.wrong, f"signatures differ from botocore's: {self.wrong[:3]}"


class Proxy(BaseHTTPRequestHandler):
    """Passes a request to moto, unless the bucket has a fault for it."""

    protocol_version = "HTTP/1.1"
    bucket = None
    # A client that stops to read must not keep the thread.
    timeout = PATIENCE

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True  # The store has ended, or has had enough.

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen = Seen(self.command, self.path, self.headers, body)
        fault = self.bucket.fault_of(seen)
        wrong = seen.wrong_signature(self.bucket.moto.keys)
        if wrong:
            self.bucket.wrong.append(f"{seen}: {wrong}")
            return self.refuse(403, wrong)
        if fault and fault.hold:
            fault.hold.wait()
        if fault and fault.status:
            return self.refuse(fault.status, fault.code)
        if fault and fault.other is not None:
            return self.send(200, {"Content-Type": "text/html"}, fault.other)
        status, headers, content = self.forward(seen)
        if fault and fault.alter is not None and content:
            content = bytearray(content)
            content[fault.alter] ^= 0x20
        self.send(status, headers, bytes(content), cut=fault and fault.cut)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

    def forward(self, seen):
        """moto's answer. moto doesn't know signatures in a query: the proxy has checked it, and signs again."""
        moto = self.bucket.moto
        headers = {name: value for name, value in seen.headers.items() if name not in {"connection", "host"}}
        target, headers["host"] = seen.target, seen.headers["host"]
        if seen.is_presigned:
            target = seen.path
            request = AWSRequest(method=seen.method, url=f"http://{headers['host']}{target}",
                                 headers={name: headers[name] for name in headers if name in {"host", "range"}})
            S3SigV4Auth(moto.keys, "s3", REGION).add_auth(request)
            headers = dict(request.headers.items())
        connection = http.client.HTTPConnection("127.0.0.1", moto.port, timeout=PATIENCE)
        try:
            connection.putrequest(seen.method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders(seen.body or None)
            response = connection.getresponse()
            content = response.read()
            return response.status, dict(response.getheaders()), content
        finally:
            connection.close()

    def refuse(self, status, code):
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>A test.</Message></Error>".encode()
        self.send(status, {"Content-Type": "application/xml"}, body)

    def send(self, status, headers, content, cut=None):
        self.send_response_only(status)
        length = len(content)
        for name, value in headers.items():
            if name.lower() in {"content-length", "transfer-encoding", "connection", "date", "server"}:
                if name.lower() == "content-length" and self.command == "HEAD":
                    length = int(value)
                continue
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content if cut is None else content[:cut])
        if cut is not None:
            self.wfile.flush()
            self.close_connection = True
