# SPDX-License-Identifier: Apache-2.0
"""Hostile values: JSON texts, texts for queries and forms, headers, and bodies that are no message.

Every route and every field meets some of the values, and every value meets many routes and fields; `make soak`, with
HOSTILE_SHARE=1, sends each value to each.
"""

import json
import os
import random

SHARE = int(os.environ.get("HOSTILE_SHARE", 10))
CHANCE = random.Random()  # A test gives it a seed.


def size(few, all):
    """The size of an attack: for each change, and in `make soak`."""
    return all if SHARE == 1 else few


def some(values):
    """One in SHARE of the values, other ones at each call."""
    return list(values)[CHANCE.randrange(SHARE)::SHARE]


NUMBERS = [
    "0", "-0", "-1", "1.5", "11", "2147483647", "2147483648", "-2147483649", "4294967296",
    "9007199254740991", "9007199254740992", "4611686018427387904", "9223372036854775807", "9223372036854775808",
    "-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "1e15", "1e18", "1e19", "1e300", "1e400", "-1e400", "1e-400", "9" * 400,
]
# Texts that aren't JSON, although some readers accept them.
NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "01", "+1", "0x10", "1.", "--1", "1e", "nan"]

TEXTS = [
    "", " ", "-1", "x" * 256, "x" * 100_000, "é" * 300, "\0", "a\0b", "\u202egnp.exe", "../../etc/passwd",
    "' OR 1=1 --", "%s%n", "{{title}}", "<script>alert(1)</script>", "9223372036854775808", "-9223372036854775808",
    "99999999999999999999999999", "====", "a\r\nSet-Cookie: x=y",
]
DEPTH = 10_000

OTHERS = [
    "null", "true", '"\\ud800"', '"\\u0000"', "[]", "{}", '{"x": 1}', '["x"]', "[null]", "[[]]", '["x", 1, null]',
    json.dumps([""] * 3000), json.dumps(["x" * 2000] * 50), json.dumps([{}] * 200),
    "[" * DEPTH + "]" * DEPTH, '{"a":' * DEPTH + "1" + "}" * DEPTH, "",
]

ALL = [*NUMBERS, *NO_NUMBERS, *(json.dumps(text, ensure_ascii=False) for text in TEXTS), *OTHERS]
# For fields that aren't numbers.
MOST = [text for text in ALL if text not in NUMBERS[:-5] and text not in NO_NUMBERS[3:]]

BODIES = {
    "nothing": b"", "blanks": b" \r\n\t", "half an object": b"{", "cut in a string": b'{"bundleIdentifier": "',
    "text": b"hello", "zeros": b"\0" * 256, "no UTF-8": b"\xff\xfe\xc0\xaf", "bad UTF-8 inside": b'{"x": "\xff\xfe"}',
    "UTF-16": '{"page": 0}'.encode("utf-16"), "a byte order mark": b"\xef\xbb\xbf{}", "two objects": b"{}{}",
    "a comma too many": b'{"x": 1,}', "null": b"null", "a list": b"[]", "a number": b"7", "a huge number": b"9" * 5000,
    "1e400": b"1e400", "-1": b"-1", "NaN": b"NaN", "a string": b'"x"', "true": b"true",
    "10,000 open lists": b"[" * DEPTH, "10,000 lists": b"[" * DEPTH + b"]" * DEPTH,
    "10,000 objects": b'{"a":' * DEPTH + b"1" + b"}" * DEPTH,
    "a key of 500 KB": b'{"' + b"k" * 500_000 + b'": 1}', "a string of 900 KB": b'{"x": "' + b"x" * 900_000 + b'"}',
    "20,000 keys": json.dumps({f"key{n}": n for n in range(20_000)}).encode(),
    "a key 5,000 times": b"{" + b'"bundleIdentifier": "x",' * 5000 + b'"a": 1}',
    "a form": b"decision=buy&email=x", "XML": b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'a'>]><x>&a;</x>",
}

# Sent in addition to the usual headers.
HEADERS = {
    "a header of 60 KB": [("X-Long", "x" * 60_000)],
    "a header of 200 KB": [("X-Long", "x" * 200_000)],
    "1,000 headers": [(f"X-{n}", "x") for n in range(1000)],
    "a name of 10 KB": [("X" * 10_000, "x")],
    "Accept-Language with 200 languages": [("Accept-Language", ",".join(f"x{n}-YY;q=0.1" for n in range(200)))],
    "Accept-Language with commas only": [("Accept-Language", "," * 5000)],
    "an Accept that is garbage": [("Accept", "\x01;q=nan,*/*;q=-1")],
    "a Content-Type that is garbage": [("Content-Type", "multipart/form-data; boundary=" + "x" * 500)],
    "gzip that is none": [("Content-Encoding", "gzip")],
    "a cookie of 10 KB": [("Cookie", "__Host-store_session=" + "x" * 10_000)],
    "garbage as a cookie": [("Cookie", "=;;;=%00;__Host-store_session=%ff")],
    "a range": [("Range", "bytes=-9223372036854775808-9223372036854775807")],
    "an upgrade": [("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABk")],
    "a websocket": [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Key", "x"),
                    ("Sec-WebSocket-Version", "13")],
    "an expectation": [("Expect", "199-nothing")],
    "bytes beyond ASCII": [("X-Bytes", b"\xff\xfe\x80"), ("Origin", b"\xff")],
    "another origin": [("Origin", "http://attacker.example"), ("Sec-Fetch-Site", "cross-site")],
    "a forwarded address": [("X-Forwarded-For", "' OR 1=1 --"), ("Forwarded", "for=\"_x\""), ("X-Real-IP", "::1")],
    "a method override": [("X-HTTP-Method-Override", "DELETE")],
    "dates": [("If-Modified-Since", "Thu, 99 Foo 99999999999999999999 99:99:99"), ("If-None-Match", "*" * 2000)],
    "Last-Event-ID": [("Last-Event-ID", "-9223372036854775808")],
}

HOSTS = {
    "no Host": None, "an empty Host": b"", "a foreign Host": b"rebind.attacker.example",
    "a foreign Host with a port": b"rebind.attacker.example:8080", "a Host that begins well": b"127.0.0.1.example",
    "a Host that ends well": b"attacker.example@127.0.0.1:x", "a long Host": b"a." * 5000, "an IPv6 half": b"[::1",
    "a Host of bytes": b"\xff\xfe", "a port beyond all": b"127.0.0.1:99999999999999999999",
    "another address": b"169.254.169.254",
}

METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PURGE", "get"]
