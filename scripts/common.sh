# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts: the repository's folder, and the functions that build it.
# shellcheck shell=bash disable=SC2034

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD

# Run, demo and test use the same flags, so that no target is built twice.
# BoringSSL is optimised in debug builds too: scrypt takes most of the time of a sign-in otherwise.
# Debug information takes a fifth of the compiler's time. `swift build` without these flags has it, for a debugger.
swift_flags=(-Xswiftc -warnings-as-errors -Xcc -O2 -debug-info-format none)
binaries=$root/.build/debug

# These are the folders in which Package.swift looks for libpq. SwiftPM reads a
# manifest again when the environment has changed, so OPENSTOREKIT_LIBPQ makes it
# notice that libpq was installed or removed.
libpq_folders=(/usr/include/postgresql {/usr,/usr/local,/opt/homebrew/opt/libpq,/usr/local/opt/libpq}/include)
has_libpq() { [[ $OPENSTOREKIT_LIBPQ != none ]]; }
if [[ ${OPENSTOREKIT_LIBPQ:-} != none ]]; then
    OPENSTOREKIT_LIBPQ=none
    for folder in "${libpq_folders[@]}"; do
        [[ ! -e $folder/libpq-fe.h ]] || OPENSTOREKIT_LIBPQ=here
    done
fi
export OPENSTOREKIT_LIBPQ

# Swift Testing starts all tests together unless it has a limit: the domain's tests then make a thousand databases of
# PostgreSQL (13 GB, in memory), and take twice as long.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

build() {
    if [[ ! -x $binaries/storectl || ! -x $binaries/BuyFruit ]]; then
        say "Building the store, BuyFruit and their dependencies. This takes several minutes, once."
    fi
    if ! has_libpq; then
        say "libpq isn't here: the store is built without PostgreSQL, and with SQLite. (libpq-dev brings it.)"
    fi
    swift build "${swift_flags[@]}" "$@"
}
