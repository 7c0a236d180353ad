# SPDX-License-Identifier: Apache-2.0
"""Cuts downloads of BuyFruit's recipe book at random bytes: kills (-9) of the app or the store, lost connections,
pauses, altered bytes and a full disk.

Each download ends complete, with the files of the package, or has failed with the error of its cut; in both cases no
file is left in the caches. A seed fixes the plan of each download; the moment at which a process notices a cut depends
on the machine.

KILL_DOWNLOADS is the number of downloads (default: 16). KILL_SEED chooses their cuts.
"""

import collections
import os
import random
import time

import pytest

from book_device import BookDevice, files, write_book
from cutting_proxy import Cut

LANES = 4  # devices that share the downloads, each with a store of its own
# The kinds of downloads, with their weights.
KINDS = {"interrupted": 70, "full disk": 16, "altered once": 7, "altered": 7}
CUTS = {"app": 40, "store": 25, "connection": 25, "pause": 10}
# BuyFruit shows the error of a failed download.
DAMAGED, DISK_FULL = ("The download is damaged",), ("enough free space",)
COMPLETE, FAILED = "complete", "failed with the right error"


class Lane(BookDevice):
    """Downloads the book again and again, each time with other cuts."""

    def __init__(self, folder, book):
        super().__init__(folder, book)
        self.counts = collections.Counter()
        self.playing = "the start"

    # The cuts.

    def plan(self, chance):
        """Cuts at random bytes, some of them in the content's head and some after the last byte."""
        cuts = {}
        for name in chance.choices(list(CUTS), CUTS.values(), k=chance.choice((1, 1, 1, 2, 2, 3))):
            bounds = [(0, self.head), (0, self.length), (self.length, self.length + 1)]
            byte = chance.randrange(*chance.choices(bounds, (1, 6, 1))[0])
            # One cut for a byte: after the last one another would never be reached.
            cuts[byte] = Cut(byte, name, getattr(self, f"cut_{name}")(chance))
        return list(cuts.values())

    def cut_app(self, chance):
        is_patient, crash_at = chance.random() < 0.5, chance.choice(("", "", "", "content:before", "content:after"))

        def kill(pair):
            position = pair.position - self.head
            if is_patient:
                self.wait_for_bytes(position)
            self.crash_at = crash_at
            self.app.process.kill()
            pair.close()

        return kill

    def wait_for_bytes(self, position):
        """Waits until the app has written the bytes before a place. Those of an earlier attempt may be in its way."""
        deadline = time.monotonic() + 0.5
        while 0 < self.partial_bytes() < position and time.monotonic() < deadline:
            time.sleep(0.005)

    def cut_store(self, chance):
        def kill(pair):
            self.store.process.kill()
            pair.close()

        return kill

    def cut_connection(self, chance):
        reset = chance.random() < 0.5
        return lambda pair: pair.close(reset)

    def cut_pause(self, chance):
        """The customer pauses the download and resumes it (`settle`); between both the app may be killed."""
        is_killed = chance.random() < 0.3

        def pause(pair):
            self.press("download", command="pause")
            if is_killed:
                self.app.process.kill()
            pair.close()

        return pause

    # The downloads.

    def download(self, number, chance):
        kind = chance.choices(list(KINDS), KINDS.values())[0]
        self.playing = f"download {number} ({kind})"
        self.proxy.arm([])
        play = {"interrupted": self.play_cuts, "full disk": self.play_full_disk,
                "altered once": self.play_altered_once, "altered": self.play_altered}[kind]
        outcome = play(chance)
        self.counts[kind] += 1
        self.counts[outcome] += 1

    def play_cuts(self, chance):
        cuts = self.plan(chance)
        self.playing += ": " + ", ".join(map(str, cuts))
        self.proxy.arm(cuts)
        self.begin()
        self.completes()
        assert not self.proxy.cuts, f"not reached: {', '.join(map(str, self.proxy.cuts))}"
        self.counts.update(cut.name for cut in cuts)
        return COMPLETE

    def play_altered_once(self, chance):
        """The content is transferred again."""
        self.alter(chance, times=1)
        self.completes()
        assert self.proxy.times == 0, "no byte was altered"
        return COMPLETE

    def play_altered(self, chance):
        """Each transfer has the altered byte."""
        self.alter(chance, times=99)
        self.fails(DAMAGED)
        self.settle("no file is left", lambda: not self.cached())
        assert self.proxy.times == 97, f"there were {99 - self.proxy.times} transfers"
        return FAILED

    def alter(self, chance, times):
        place = chance.randrange(self.length)
        self.playing += f": byte {place}"
        self.proxy.arm([], place, times)
        self.begin()

    def play_full_disk(self, chance):
        """The customer makes room and resumes the download, or gives it up."""
        left = chance.randrange(self.length - (64 << 10))
        is_killed, goes_on = chance.random() < 0.3, chance.random() < 0.5
        self.playing += f": {left} bytes are free"
        self.begin(lambda: self.disk.fill(left))
        self.fails(DISK_FULL)
        if is_killed:
            self.app.kill()
            self.settle("the download still shows its failure", lambda: self.is_shown("failed"))
        if goes_on:
            self.disk.make_room()
            self.press("download", command="resume")
            self.completes()
            return COMPLETE
        self.press("download", command="cancel")
        self.settle("no file is left", lambda: not self.cached())
        self.disk.make_room()
        return FAILED

    def completes(self):
        self.settle("the book is complete", self.is_complete)
        found = files(self.kept)
        assert found == self.expected, f"the files differ: {sorted(set(found.items()) ^ set(self.expected.items()))}"

    def fails(self, sentences):
        self.settle("the download has failed", lambda: self.is_shown("failed"))
        text = self.shown()["text"]
        assert any(sentence in text for sentence in sentences), f"the download's error is {text!r}"


@pytest.mark.slow
@pytest.mark.parametrize("number", range(LANES), ids=lambda number: f"device-{number}")
def test_downloads_with_cuts(folder, number):
    """Each download of a device ends complete or with the error of its cut."""
    seed = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(1 << 32))
    downloads = int(os.environ.get("KILL_DOWNLOADS") or 16)
    print(f"KILL_SEED={seed}")
    lane = Lane(folder / "lane", write_book(folder / "book", random.Random(seed)))
    try:
        lane.open()
        for download in range(number, downloads, LANES):
            lane.download(download, random.Random(f"{seed}/{download}"))
    finally:
        print(f"until {lane.playing}: {dict(lane.counts)}")
        lane.close()
