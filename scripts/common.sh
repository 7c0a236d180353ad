# SPDX-License-Identifier: Apache-2.0
# Read by the other scripts: where the repository is, and how it is built.
# shellcheck shell=bash disable=SC2034

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD

# One set of flags for run, demo and test, so that nothing is built twice.
swift_flags=(-Xswiftc -warnings-as-errors)
binaries=$root/.build/debug

# Makes SwiftPM read the manifest again when libpq comes or goes.
OPENSTOREKIT_LIBPQ=${OPENSTOREKIT_LIBPQ:-$(pkg-config --modversion libpq 2>/dev/null || echo unknown)}
export OPENSTOREKIT_LIBPQ

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

build() {
    if [[ ! -x $binaries/storectl || ! -x $binaries/BuyFruit ]]; then
        say "Building the store, BuyFruit and what they depend on. This takes several minutes, once."
    fi
    swift build "${swift_flags[@]}" "$@"
}
