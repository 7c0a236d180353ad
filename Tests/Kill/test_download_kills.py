# SPDX-License-Identifier: Apache-2.0
"""Cuts downloads of BuyFruit's recipe book at random bytes: kills (-9) of the app or the store, lost connections,
pauses, altered bytes and a full disk.

    test_download_kills.py [DOWNLOADS] [SEED]     100 downloads; the seed chooses the cuts and their bytes

Each download ends complete, with the files of the package, or has failed with the error of its cut; in both cases no
file is left in the caches. A seed fixes the plan of each download; the moment at which a process notices a cut depends
on the machine. The last line is `N passed, N failed`.
"""

import collections
import queue
import random
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))

from book_device import BookDevice, files, write_book  # noqa: E402
from cutting_proxy import Cut  # noqa: E402
from harness import Failed, expect  # noqa: E402

LANES = 4  # devices that download at the same time, each from a store of its own
# The kinds of downloads, with their weights.
KINDS = {"interrupted": 70, "full disk": 16, "altered once": 7, "altered": 7}
CUTS = {"app": 40, "store": 25, "connection": 25, "pause": 10}
# BuyFruit shows the error of a failed download.
DAMAGED, DISK_FULL = ("announced", "head can't be read", "longer than the content"), ("The disk is full",)
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
        expect(not self.proxy.cuts, f"not reached: {', '.join(map(str, self.proxy.cuts))}")
        self.counts.update(cut.name for cut in cuts)
        return COMPLETE

    def play_altered_once(self, chance):
        """The content is transferred again."""
        self.alter(chance, times=1)
        self.completes()
        expect(self.proxy.times == 0, "no byte was altered")
        return COMPLETE

    def play_altered(self, chance):
        """Each transfer has the altered byte."""
        self.alter(chance, times=99)
        self.fails(DAMAGED)
        self.settle("no file is left", lambda: not self.cached())
        expect(self.proxy.times == 97, f"there were {99 - self.proxy.times} transfers")
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
        expect(found == self.expected, f"the files differ: {sorted(set(found.items()) ^ set(self.expected.items()))}")

    def fails(self, sentences):
        self.settle("the download has failed", lambda: self.is_shown("failed"))
        text = self.shown()["text"]
        expect(any(sentence in text for sentence in sentences), f"the download's error is {text!r}")


def play(lane, numbers, seed, failures):
    """Plays downloads until there are no more, or one fails."""
    try:
        lane.open()
        while True:
            number = numbers.get_nowait()
            lane.download(number, random.Random(f"{seed}/{number}"))
    except queue.Empty:
        pass
    except Failed as failed:
        failures.append(f"{lane.playing}: {failed}")
    except Exception:  # noqa: BLE001: every exception is a failure
        failures.append(f"{lane.playing}: {traceback.format_exc()}")


def main(downloads=100, seed=None):
    seed = int(seed) if seed else random.SystemRandom().randrange(1 << 32)
    started = time.monotonic()
    numbers, failures, lanes = queue.Queue(), [], []
    for number in range(int(downloads)):
        numbers.put(number)
    with tempfile.TemporaryDirectory(prefix="kill.") as folder:
        book = write_book(Path(folder) / "book", random.Random(seed))
        try:
            lanes += [Lane(Path(folder) / f"lane-{number}", book) for number in range(LANES)]
            threads = [threading.Thread(target=play, args=(lane, numbers, seed, failures)) for lane in lanes]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except Failed as failed:
            failures.append(str(failed))
        finally:
            for lane in lanes:
                lane.close()
    counts = sum((lane.counts for lane in lanes), collections.Counter())

    def text(names):
        return ", ".join(f"{name} {counts[name]}" for name in names)

    print(f"seed {seed}: {text([COMPLETE, FAILED])}, in {time.monotonic() - started:.0f} s; "
          f"of the kinds: {text(KINDS)}; cuts: {text(CUTS)}")
    for failure in failures:
        print(f"failed: {failure}")
    print(f"{0 if failures else 1} passed, {1 if failures else 0} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
