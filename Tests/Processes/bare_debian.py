# SPDX-License-Identifier: Apache-2.0
"""Machines that have Debian and nothing else: folders that debootstrap fills. Needs root."""

import os
import shutil
import subprocess
from pathlib import Path

from processes import ROOT, Failed

TOGETHER = 3600  # seconds for a command

# The folder becomes the root of a mount namespace of its own, as in a container, so that a program inside may make user
# namespaces. Its devices are its own, but for those that hold nothing. The mounts end with the program.
ENTER = """
set -e
mount --bind "$0" "$0"
cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 dev dev
for device in null zero full random urandom tty; do : >"dev/$device" && mount --bind "/dev/$device" "dev/$device"; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777 shm dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin && ln -s fd/1 dev/stdout && ln -s fd/2 dev/stderr
for folder in $SHARED; do mkdir -p ".$folder" && mount --bind -o ro "$folder" ".$folder"; done
mkdir -p .host
pivot_root . .host
exec chroot . sh -c 'umount -l /.host && exec "$@"' sh "$@"
"""


def run(*command, status=0, **environment):
    """Runs a command, which has to end with a status, and returns its output."""
    ran = subprocess.run([str(part) for part in command], env={**os.environ, **environment}, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TOGETHER)
    assert ran.returncode == status, f"{command} ended with {ran.returncode}, not {status}:\n{ran.stdout}"
    return ran.stdout


def mirror(release):
    """The address from which this machine installs the packages of a release; Debian's own for another release."""
    listed = run("apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Created-By: Packages")
    return dict(reversed([line.split(" ", 1) for line in listed.splitlines()])).get(
        release, "http://deb.debian.org/debian")


class BareDebian:
    """A folder with the required packages of a Debian release and apt, in which commands run as on a machine."""

    shared = ()  # folders of this machine that are there, too
    namespaces = ("--mount",)

    def __init__(self, folder, release):
        self.folder = Path(folder) / release
        run("debootstrap", "--variant=minbase", release, self.folder, mirror(release))

    def command(self, *command):
        """The command line that runs a command inside."""
        shared = " ".join(map(str, self.shared))
        return ["env", f"SHARED={shared}", "unshare", *self.namespaces, "sh", "-c", ENTER, str(self.folder),
                *map(str, command)]

    def run(self, *command, status=0):
        return run(*self.command("env", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", *command), status=status)

    def copy(self, *files):
        """Copies files into /tmp inside."""
        for file in files:
            run("cp", file, self.folder / "tmp")


class NewMachine(BareDebian):
    """A machine with Swift, git and make, as README.md says, a user who may use sudo, and a clone of this repository.

    Packages come from where this machine gets them.
    """

    # The processes of a command end with it.
    namespaces = ("--mount", "--pid", "--fork", "--kill-child")
    user = "reader"
    home = f"/home/{user}"
    # The packages that Swift's page lists for Debian, without those that scripts/setup installs.
    SWIFT = ("binutils", "gcc", "libc6-dev", "libcurl4-openssl-dev", "libedit2", "libncurses6", "libpython3.11",
             "libsqlite3-0", "libstdc++-12-dev", "libxml2-dev", "libz3-4", "pkg-config", "tzdata", "unzip", "zip")
    README = ("git", "make")

    def __init__(self, folder):
        super().__init__(folder, "bookworm")
        self.share_swift()
        self.share_settings()
        self.run("apt-get", "update", "-qq")
        self.run("apt-get", "install", "--yes", "-qq", "--no-install-recommends", "sudo", "ca-certificates",
                 *self.SWIFT, *self.README)
        for name in ("/etc/ssl/certs/ca-certificates.crt", "/etc/hosts"):
            shutil.copy(name, f"{self.folder}{name}")
        self.run("useradd", "--create-home", "--shell", "/bin/bash", self.user)
        (self.folder / "etc/sudoers.d" / self.user).write_text(f"{self.user} ALL=(ALL) NOPASSWD: ALL\n")
        run("git", "clone", "--quiet", f"file://{ROOT}", f"{self.folder}{self.home}/OpenStoreKit")
        self.run("chown", "--recursive", f"{self.user}:{self.user}", self.home)

    def share_swift(self):
        """Swift's toolchain is there at the place that it has here."""
        swift = shutil.which("swift")
        if not swift:
            raise Failed("Swift is missing.")
        self.toolchain = Path(swift).resolve().parent
        place = self.toolchain.parent.parent
        if place in (Path("/"), Path("/usr")):
            raise Failed(f"Swift is in {self.toolchain}: a new machine can only share a toolchain in a folder of its own.")
        self.shared = (place,)

    def share_settings(self):
        """The settings of apt, pip and git with which this machine reaches packages, also copies on its disk."""
        (self.folder / "etc/apt/apt.conf.d/90here").write_text(run("apt-config", "dump", "Acquire"))
        if Path("/etc/pip.conf").exists():
            shutil.copy("/etc/pip.conf", self.folder / "etc")
        listed = subprocess.run(["git", "config", "--get-regexp", r"^url\..*\.insteadof$"], cwd="/", text=True,
                                stdout=subprocess.PIPE).stdout
        for line in listed.splitlines():
            name, value = line.split(" ", 1)
            place = name.removeprefix("url.").removesuffix(".insteadof")
            if place.startswith("/"):
                self.shared = (*self.shared, place)
            run("git", "config", "--file", self.folder / "etc/gitconfig", "--add", name, value)
        # git refuses copies of another user otherwise.
        run("git", "config", "--file", self.folder / "etc/gitconfig", "safe.directory", "*")

    def shell(self, script, folder="OpenStoreKit"):
        """The command line that runs commands as the user, in a folder of the home. The environment has only the
        settings of pip and of proxies of this machine's."""
        kept = [f"{name}={value}" for name, value in os.environ.items()
                if name in ("PIP_CERT", "PIP_INDEX_URL", "PIP_TRUSTED_HOST") or name.lower().endswith("_proxy")]
        path = f"{self.toolchain}:/usr/local/bin:/usr/bin:/bin"
        return self.command("runuser", "-u", self.user, "--", "env", "-i", f"HOME={self.home}", f"USER={self.user}",
                            "LANG=C.UTF-8", f"PATH={path}", *kept,
                            "bash", "-euo", "pipefail", "-c", f"cd ~/{folder}\n{script}")
