# SPDX-License-Identifier: Apache-2.0
"""A small file system in memory, which a test can fill."""

import errno
import os
import subprocess
from pathlib import Path

from harness import Failed


class SmallDisk:
    """A tmpfs in a mount namespace of its own: it ends with the process that holds the namespace, also if the test is
    killed. Other processes reach it at `folder`, below the holder's root.
    """

    def __init__(self, place, size):
        Path(place).mkdir(parents=True)
        unprivileged = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self.holder = subprocess.Popen(
            ["unshare", "--mount", *unprivileged, "sh", "-c",
             'mount -t tmpfs -o "size=$1,mode=700" small "$0" && echo mounted && exec cat', str(place), str(size)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "mounted\n":
            _, complaint = self.holder.communicate()
            raise Failed(f"No small disk can be mounted, so that it could be filled: {complaint.strip()}. Run the test "
                         "as root, or allow namespaces of users (sysctl kernel.unprivileged_userns_clone).")
        self.folder = Path(f"/proc/{self.holder.pid}/root{Path(place).resolve()}")
        self.filler = self.folder / "filler"

    @property
    def enter(self):
        """The beginning of a command line that runs a program where the disk is mounted. One with SQLite, which follows
        links on its own, has to be there."""
        user = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
        return ["nsenter", "--target", str(self.holder.pid), "--mount", *user]

    @property
    def free(self):
        facts = os.statvfs(self.folder)
        return facts.f_bavail * facts.f_frsize

    def fill(self, left):
        """Fills the disk but for a number of bytes, which is rounded down to whole pages.

        A process that writes at the same moment may take the last pages.
        """
        with open(self.filler, "wb", buffering=0) as filler:
            while (rest := self.free - left) > 0:
                try:
                    filler.write(bytes(rest))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def make_room(self):
        self.filler.unlink(missing_ok=True)

    def close(self):
        self.holder.stdin.close()
        self.holder.wait()
        self.holder.stdout.close()
        self.holder.stderr.close()
