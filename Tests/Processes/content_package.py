# SPDX-License-Identifier: Apache-2.0
"""Content packages, their packed form, and their download by a device without an app."""

import hashlib
import http.client
import json
import os
import struct
from pathlib import Path

from harness import PATIENCE, Failed, ask

INFORMATION = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>IAPProductIdentifier</key><string>{product}</string>
<key>ContentVersion</key><string>{version}</string>
</dict></plist>
"""


def package(folder, product, version="1.0", files=None):
    """Writes a package with files, each a number of random bytes or the bytes themselves; returns its folder."""
    folder = Path(folder)
    (folder / "Contents").mkdir(parents=True)
    (folder / "ContentInfo.plist").write_text(INFORMATION.format(product=product, version=version))
    for path, content in (files or {"recipes.txt": b"An apple, baked."}).items():
        target = folder / "Contents" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(os.urandom(content) if isinstance(content, int) else content)
    return folder


def packed(folder):
    """The packed object of a package, made without any code of the store."""
    folder = Path(folder)
    paths = sorted((str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()), key=str.encode)
    contents = [(folder / path).read_bytes() for path in paths]
    information = contents[0].decode()
    manifest = {
        "product": text_after("IAPProductIdentifier", information),
        "version": text_after("ContentVersion", information),
        "files": [{"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                  for path, content in zip(paths, contents)],
    }
    head = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return b"".join([b"OSKCONT1", struct.pack(">I", len(head)), head, *contents])


def text_after(key, information):
    return information.split(f"<key>{key}</key><string>")[1].split("</string>")[0]


class Download:
    """The download of a bought product's content by a device, which goes on after the connection is lost."""

    def __init__(self, device, transaction):
        self.device, self.transaction = device, transaction
        self.received = b""
        self.begin()

    def begin(self):
        status, answer = self.device.call("content", transaction=self.transaction)
        assert status == 200, f"asking for content: {status} {answer}"
        self.answer = answer

    @property
    def is_complete(self):
        return len(self.received) == self.answer["length"]

    def read(self, limit=None):
        """Reads from the byte that is missing, until the end, the limit or the loss of the connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.device.store.port, timeout=PATIENCE)
        try:
            tag = f'"{self.answer["checksum"]}"'
            connection.request("GET", self.answer["address"], headers={
                "Range": f"bytes={len(self.received)}-", "If-Range": tag})
            response = connection.getresponse()
            assert response.status == 206, f"a range is answered {response.status}: {self.answer}"
            assert response.getheader("ETag") == tag, f"the tag is {response.getheader('ETag')}, not {tag}"
            while limit is None or limit > 0:
                part = response.read1(64 << 10 if limit is None else min(limit, 64 << 10))
                if not part:
                    break
                self.received += part
                limit = limit and limit - len(part)
        except (OSError, http.client.HTTPException):
            pass  # The store has ended.
        finally:
            connection.close()

    def check(self, content):
        """Requires the bytes, and their checksum."""
        if self.received != content:
            raise Failed(f"the download has {len(self.received)} bytes, which differ from the package's {len(content)}")
        assert hashlib.sha256(self.received).hexdigest() == self.answer["checksum"], "the checksum is another one"


def bought(device, product, email, password):
    """Buys a product on a device, unless it has done so, and returns the transaction."""
    status, paid = device.pay(f"content-{product}", product)
    if paid.get("transaction"):
        return paid["transaction"]
    assert status == 200 and paid.get("sheet"), f"asking for {product}: {status} {paid}"
    status, text = ask("POST", paid["sheet"], accept="application/json", form={
        "email": email, "password": password, "decision": "buy"})
    assert status == 200, f"buying {product}: {status} {text}"
    status, paid = device.pay(f"content-{product}", product)
    assert paid.get("transaction"), f"{product} has no transaction: {status} {paid}"
    return paid["transaction"]
