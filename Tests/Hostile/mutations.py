# SPDX-License-Identifier: Apache-2.0
"""Valid requests with random changes from a seed: flipped bytes, cuts, repeats and insertions."""

import random

import values
from attacks import Case, play

COUNT = values.size(1000, 2500)
WORDS = [
    b"-9223372036854775808", b"9223372036854775807", b"9007199254740992", b"1e400", b"-1", b"NaN", b"null", b"[[[[",
    b"{}", b"\0", b"\xff\xfe", b"\r\n", b"\r\n\r\n", b"%00", b"%ff", b"..", b"\"", b"\\ud800", b"&after=", b"?",
    b"; q=", b",", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: x\r\n",
    b"Expect: 100-continue\r\n", b"A" * 3000,
]
DIGITS = b"0123456789"


def flip(data, chance):
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1:]


def cut(data, chance):
    begin = chance.randrange(len(data))
    return data[:begin] + data[begin + chance.randint(1, 1 + len(data) // 4):]


def cut_end(data, chance):
    return data[:chance.randrange(1, len(data) + 1)]


def repeat(data, chance):
    begin = chance.randrange(len(data))
    end = begin + chance.randint(1, 40)
    return data[:begin] + data[begin:end] * chance.choice([2, 3, 50, 1000]) + data[end:]


def insert(data, chance):
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(WORDS) + data[place:]


def replace_number(data, chance):
    """Replaces a run of digits by a word."""
    places = [place for place in range(1, len(data)) if data[place] in DIGITS and data[place - 1] not in DIGITS]
    if not places:
        return insert(data, chance)
    begin = end = chance.choice(places)
    while end < len(data) and data[end] in DIGITS:
        end += 1
    return data[:begin] + chance.choice(WORDS) + data[end:]


def swap(data, chance):
    first, second = sorted((chance.randrange(len(data)), chance.randrange(len(data))))
    return data[second:] + data[first:second] + data[:first] if chance.random() < 0.3 else (
        data[:first] + data[second:second + 9] + data[first:second] + data[second + 9:])


CHANGES = [flip, flip, cut, cut_end, repeat, insert, insert, replace_number, replace_number, swap]


def fitted(target, store, data, chance):
    """Changes only the body or the path of a valid request, so that the change isn't refused by the HTTP parser."""
    content = target.content()
    if content and chance.random() < 0.7:
        return target.request(store, body=data(content))
    path = data(target.path.encode()).replace(b" ", b"").replace(b"\r", b"").replace(b"\n", b"")
    return target.request(store, path=path)


def mutations(all_targets, store, seed, count):
    """Yields a number of cases; the same seed and the same requests give the same changes."""
    chance = random.Random(seed)
    for number in range(count):
        target = chance.choice(all_targets)

        def changed(data):
            for _ in range(chance.randint(1, 4)):
                data = chance.choice(CHANGES)(data, chance) or b"\0"
            return data[:200_000]

        if chance.random() < 0.6:
            data = fitted(target, store, changed, chance)
        else:
            data = changed(target.request(store))
        what = f"mutation {number} of seed {seed}, {target.route}, {data[:300]!r},"
        yield Case(what, data, may_hang_up=True, ends=True)


def attack(attacked, all_targets, seed, count=COUNT):
    return play(attacked, mutations(all_targets, attacked.store, seed, count))
