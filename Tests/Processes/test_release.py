# SPDX-License-Identifier: Apache-2.0
"""The packages of a release build: which machines run them, and Debian's, in a bare Debian. `make soak` runs it.

PORTABLE and POSTGRESQL name the programs of `scripts/release-storectl`, with storeagentd beside each. Needs root, for
debootstrap and chroot.
"""

import hashlib
import json
import os
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

from bare_debian import BareDebian, run
from harness import PATIENCE, wait_until
from pages import commands
from processes import ROOT

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("release")]

GARDEN = ROOT / "Sources/StoreScenarios/Shipped/garden.storekit"
# The libraries that every Debian and Ubuntu has.
SYSTEM = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
OLDEST_GLIBC = (2, 36)  # of Debian 12, on which releases are made


@pytest.fixture(scope="module")
def programs():
    """The programs of a release build: the portable one, and that of the Debian package."""
    missing = {"PORTABLE", "POSTGRESQL"} - os.environ.keys()
    assert not missing, f"{missing} isn't set: name the programs of scripts/release-storectl"
    return {name: Path(os.environ[name.upper()]).resolve() for name in ("portable", "postgresql")}


def sells(command):
    """A store that a command starts is ready, sells, and ends with its input."""
    store = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    line = store.stdout.readline()
    if not line:
        raise AssertionError(store.stderr.read().decode())
    facts = json.loads(line)

    def control(call, **fields):
        request = urllib.request.Request(
            f"{facts['address']}/control/v1/{call}", data=json.dumps(fields).encode(),
            headers={"Authorization": f"Bearer {facts['controlToken']}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    control("add-account", email="anna@example.com", password="Fruit-Salad-1", storefront="DEU", locale="de_DE")
    bought = control("buy", email="anna@example.com", bundle="com.example.garden", product="garden.plus")
    assert bought["status"] == "done", f"{bought}"
    store.stdin.close()
    store.wait(timeout=PATIENCE)
    store.stdout.close()
    store.stderr.close()


def beside(storectl):
    """The daemon of a folder with a storectl."""
    return storectl.with_name("storeagentd")


def waits_for_apps(bare, programs):
    """The daemon serves a home, which storectl of the same folder finds, and SIGTERM ends it."""
    version = run(ROOT / "scripts" / "version").strip()
    daemon = subprocess.Popen(bare.command(f"{programs}/storeagentd", "--home", "/tmp/home"), text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = daemon.stdout.readline()
        assert line == "storeagentd serves /tmp/home\n", f"{line}{'' if line else daemon.stderr.read()}"
        status = json.loads(bare.run(f"{programs}/storectl", "device", "status", "--home", "/tmp/home", "--json"))
        assert status["daemon"]["version"]["release"] == version, f"{status}"
    finally:
        daemon.terminate()
        _, said = daemon.communicate(timeout=PATIENCE)
    assert daemon.returncode == 0, f"storeagentd ended with {daemon.returncode}: {said}"


EPHEMERAL = ["serve", "--ephemeral", "--json", "--end-with-input", "--listen", "127.0.0.1:0", "--configuration",
             "/tmp/garden.storekit", "--bundle-id", "com.example.garden"]


def test_the_programs_need_debian_12_or_newer_and_no_more(folder, programs):
    """The programs need the system's libraries only, in versions that Debian 12 has, and storectl has no PostgreSQL."""
    portable = programs["portable"]
    for program in (portable, beside(portable)):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--wide", "--dynamic", program)))
        assert needed <= SYSTEM, f"{program} needs {needed - SYSTEM}"
        assert "RUNPATH" not in run("readelf", "--wide", "--dynamic", program), (
            f"{program} looks for libraries elsewhere")
        versions = re.findall(r"GLIBC_(\d+)\.(\d+)", run("readelf", "--wide", "--version-info", program))
        newest = max((int(major), int(minor)) for major, minor in versions)
        assert newest <= OLDEST_GLIBC, f"{program} needs glibc {newest}"
        print(f"{program.name}: glibc {newest[0]}.{newest[1]}, {program.stat().st_size / 1e6:.1f} MB", flush=True)
    said = run(portable, "serve", "--data", folder / "data", "--database", "postgres://ann:sesame@host/fruit",
               status=1)
    assert "Debian package" in said and "sesame" not in said, said


def test_the_tar_file_is_reproducible_and_runs_in_a_bare_debian(folder, programs):
    """The tar file has the same bytes twice, its pages are well formed, and its programs run in a bare Debian."""
    sums = []
    for name in ("one", "two"):
        path = Path(run(ROOT / "scripts" / "dist", programs["portable"], folder / name).split()[-1])
        sums.append(hashlib.sha256(path.read_bytes()).hexdigest())
    assert sums[0] == sums[1], f"{sums}"
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    run("tar", "xzf", path, "--strip-components=1", "-C", unpacked)
    pages = sorted(unpacked.glob("share/man/man1/*.1.gz"))
    assert len(pages) > 25, f"{len(pages)} pages"
    assert {"storectl-serve.1.gz", "storeagentd.1.gz"} <= {page.name for page in pages}, f"{pages}"
    units = sorted(path.name for path in unpacked.glob("lib/systemd/user/*"))
    assert units == ["storeagentd.service", "storeagentd.socket"], f"{units}"
    for page in pages:
        said = run("man", "--warnings", "-l", "-E", "UTF-8", "-Tutf8", page, MANWIDTH="80", LC_ALL="C.UTF-8",
                   MAN_DISABLE_SECCOMP="1")
        # Bold letters are printed twice.
        said = re.sub(".\x08", "", said)
        assert not re.search("warning:|error:", said) and "NAME" in said, f"{page}: {said[:300]}"
    licences = {page.stem for page in unpacked.glob("share/doc/openstorekit/licences/*.txt")}
    assert {"swift", "icu", "sqlite", "boringssl", "swift-nio", "GRDB.swift"} <= licences, f"{licences}"
    bare = BareDebian(folder, "bookworm")
    bare.copy(path, GARDEN)
    bare.run("tar", "xzf", f"/tmp/{path.name}", "-C", "/opt")
    place = f"/opt/{path.name.removesuffix('.tar.gz')}"
    version = run(ROOT / "scripts" / "version").strip()
    for program in ("storectl", "storeagentd"):
        assert bare.run(f"{place}/bin/{program}", "--version").strip() == version, f"{program} --version"
    sells(bare.command(f"{place}/bin/storectl", *EPHEMERAL))
    waits_for_apps(bare, f"{place}/bin")
    complete(bare, f"{place}/share")


def complete(bare, share):
    """The three shells load the completions, and offer the commands and options."""
    bare.run("apt-get", "update", "-qq")
    bare.run("apt-get", "install", "--yes", "--no-install-recommends", "-qq", "bash-completion", "zsh", "fish")
    for name, begun, completed in (("storectl", "ser", "serve"), ("storeagentd", "--ho", "--home")):
        said = bare.run("bash", "-c", f"source {share}/bash-completion/completions/{name}; complete -p {name}")
        assert f"-F _{name}" in said, said
        said = bare.run(
            "fish", "-c", f"source {share}/fish/vendor_completions.d/{name}.fish; complete -C '{name} {begun}'")
        assert re.search(rf"^{completed}\b", said, re.M), said
        bare.run("zsh", "-fc", f"fpath=({share}/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D; "
                 f"[[ $_comps[{name}] == _{name} ]] && autoload +X _{name}")


def test_an_older_system_says_which_version_is_missing(folder, programs):
    """On an older glibc the loader names the version that is missing."""
    bare = BareDebian(folder, "bullseye")
    bare.copy(programs["portable"])
    said = bare.run("/tmp/storectl", "--version", status=1)
    assert re.search(r"version `GLIBC_2\.\d+' not found", said), said


def test_prices_have_the_same_forms_with_the_part_of_the_data_of_icu(folder):
    """Numbers, prices and dates have the same forms in all languages with the data that packaging/icu.py keeps."""
    module, data = folder / "formats.o", folder / "icu.o"
    run("swiftc", "-O", "-static-stdlib", "-c", ROOT / "Tests/Processes/formats.swift", "-o", module)
    made = subprocess.run([ROOT / "packaging/icu.py", data], check=True, capture_output=True, text=True)
    options = made.stdout.split()
    said = []
    for name, flags in (("whole", []), ("part", [part for option in options for part in ("-Xlinker", option)])):
        run("swiftc", "-static-stdlib", module, "-o", folder / name, *flags)
        said.append(run(folder / name, LC_ALL="C.UTF-8"))
    whole, part = ((folder / name).stat().st_size for name in ("whole", "part"))
    assert part < whole - 20e6, f"{part} bytes instead of {whole}"
    assert said[0].count("\n") > 100_000 and "de_DE EUR 1.234.567,89\u00a0€" in said[0], said[0][:1000]
    different = [pair for pair in zip(*map(str.splitlines, said), strict=True) if pair[0] != pair[1]]
    assert not different, f"{len(different)} lines differ: {different[:3]}"


def test_the_debian_package_is_installed_upgraded_removed_and_purged(folder, programs):
    """The Debian package is reproducible, has no errors of lintian, and is installed, upgraded, removed and purged; its
    data stay."""
    def make(version, place):
        # The level of the compression, which takes most of the time, doesn't matter here.
        return Path(run(ROOT / "scripts" / "deb", programs["postgresql"], folder / place,
                        PACKAGE_VERSION=version, DPKG_DEB_COMPRESSOR_LEVEL="0").split()[-1])

    old, new, again = make("0.0.1~test", "made"), make("0.0.2~test", "made"), make("0.0.2~test", "again")
    assert new.read_bytes() == again.read_bytes(), "two packages of the same program differ"
    run("lintian", "--fail-on", "error", new)
    bare = BareDebian(folder, "bookworm")
    bare.copy(old, new, GARDEN)
    bare.run("apt-get", "update", "-qq")
    bare.run("apt-get", "install", "--yes", "--no-install-recommends", "systemd", f"/tmp/{old.name}")
    assert bare.run("storectl", "--version"), "storectl --version"
    assert "openstorekit" in bare.run("getent", "passwd", "openstorekit"), "the user"
    assert bare.run("stat", "-c", "%U %a", "/var/lib/openstorekit").strip() == "openstorekit 700", "the folder"
    installed = set(bare.run("dpkg", "-L", "openstorekit").split())
    wanted = {"/usr/share/man/man1/storectl-serve.1.gz", "/usr/share/man/man1/storeagentd.1.gz",
              *(f"/usr/lib/systemd/user/storeagentd.{kind}" for kind in ("service", "socket"))}
    assert wanted <= installed, f"{wanted - installed} isn't installed"
    bare.run("systemd-analyze", "verify", "--man=no", "openstorekit.service")
    # Each unit's program is found by its name.
    said = bare.run(
        "env", "XDG_RUNTIME_DIR=/tmp", "systemd-analyze", "verify", "--user", "--man=no", "storeagentd.service")
    assert not said, f"{said}"
    waits_for_apps(bare, "/usr/bin")
    enabled = bare.folder / "etc/systemd/system/multi-user.target.wants/openstorekit.service"
    assert enabled.is_symlink(), "the service isn't enabled"

    serves(bare)
    root = bare.folder / "var/lib/openstorekit/authority/root.pem"
    made_once = root.read_bytes()
    settings = bare.folder / "etc/openstorekit/openstorekit.conf"
    settings.write_text(settings.read_text() + "# a setting of this machine\n")

    bare.run("apt-get", "install", "--yes", "--no-install-recommends", f"/tmp/{new.name}")
    assert "0.0.2~test" in bare.run("dpkg-query", "-W", "openstorekit"), "the version"
    assert "a setting of this machine" in settings.read_text(), "the upgrade has replaced the configuration"
    serves(bare)
    assert root.read_bytes() == made_once, "another signing authority"

    bare.run("apt-get", "remove", "--yes", "openstorekit")
    assert settings.exists() and root.exists(), "the removal has deleted more than the program"
    said = bare.run("apt-get", "purge", "--yes", "openstorekit")
    assert not enabled.is_symlink(), "the service is still enabled"
    assert not settings.exists() and root.exists(), "a purge deletes the configuration and keeps the data"
    assert "The store's data are still in /var/lib/openstorekit" in said, said
    bare.run("apt-get", "install", "--yes", "--no-install-recommends", f"/tmp/{new.name}")
    serves(bare)
    assert root.read_bytes() == made_once, "another signing authority after the purge"


def test_the_commands_install_the_debian_package(folder, programs):
    """The commands of docs/backend for the Debian package, but for the last one: no systemd runs inside."""
    package = Path(run(ROOT / "scripts" / "deb", programs["postgresql"], folder / "made",
                       DPKG_DEB_COMPRESSOR_LEVEL="0").split()[-1])
    *script, restart = commands("README.md", "Install", every=True)[1].splitlines()
    assert restart == "sudo systemctl restart openstorekit", restart
    bare = BareDebian(folder, "bookworm")
    bare.copy(package)
    # The answer of the person, and the editor.
    (bare.folder / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
    bare.run("apt-get", "update", "-qq")
    bare.run("apt-get", "install", "--no-install-recommends", "sudo")
    bare.run("env", "SUDO_EDITOR=sed --in-place '$a# of this machine'", "bash", "-euc",
             "\n".join(["cd /tmp", *script]))
    assert "# of this machine" in (bare.folder / "etc/openstorekit/openstorekit.conf").read_text(), "sudoedit"
    serves(bare)


def serves(bare):
    """The command line of the unit starts a store as the unit's user, with the data in its folder."""
    unit = (bare.folder / "lib/systemd/system/openstorekit.service").read_text()
    command = re.search(r"^ExecStart=(.*)$", unit, re.M)[1].replace("$STORECTL_OPTIONS", "--listen 127.0.0.1:18467")
    store = subprocess.Popen(bare.command("runuser", "-u", "openstorekit", "--", *command.split(), "--end-with-input"),
                             stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        wait_until("the store of the unit is ready", lambda: answers("http://127.0.0.1:18467/readyz", store))
    finally:
        store.stdin.close()
        store.wait(timeout=PATIENCE)
        store.stderr.close()


def answers(url, process):
    if process.poll() is not None:
        raise AssertionError(f"the store has ended: {process.stderr.read().decode()}")
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status == 200
    except OSError:
        return False
