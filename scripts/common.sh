# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts: the repository's folder, and the functions that build it.
# shellcheck shell=bash disable=SC2034

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD

# Run, demo and test use the same flags, so that no target is built twice.
# BoringSSL is optimised in debug builds too: scrypt takes most of the time of a sign-in otherwise.
# Debug information takes a fifth of the compiler's time, and the index of an editor a quarter. `swift build` without
# these flags has both.
swift_flags=(-Xswiftc -warnings-as-errors -Xcc -O2 -debug-info-format none --disable-index-store)
toolchain=$(dirname "$(readlink -f "$(command -v swift || echo /usr/bin/swift)")")

# LLVM's linker takes half of the time of the usual one. Swift's toolchain for Linux has it.
[[ ! -x $toolchain/ld.lld ]] || swift_flags+=(-Xswiftc -use-ld=lld)

# The headers of C++'s library that nearly each file of BoringSSL reads, compiled once: reading them took half of the time of
# such a file. Without them, or with a compiler that refuses them, the files are compiled as usual.
standard_headers() {
    local clang=$toolchain/clang file=$root/.build/standard-headers
    local flags=(-target x86_64-unknown-linux-gnu -std=c++17 -fblocks -fPIC -O2 -g0 -fno-omit-frame-pointer -DSWIFT_PACKAGE=1 -DDEBUG=1)
    [[ $(uname -sm) == 'Linux x86_64' && -x $clang ]] || return 0
    if ! "$clang" "${flags[@]}" -include-pch "$file.pch" -fsyntax-only -x c++ /dev/null 2>/dev/null; then
        mkdir -p .build
        printf '#include <%s>\n' algorithm atomic memory string_view type_traits utility >"$file.h"
        "$clang" "${flags[@]}" -x c++-header "$file.h" -o "$file.pch" 2>/dev/null || return 0
    fi
    swift_flags+=(-Xcxx -include-pch -Xcxx "$file.pch")
}
standard_headers
# BINARIES can name a copy of the programs, which then aren't built.
binaries=${BINARIES:-$root/.build/debug}

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
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Fails, before a build, if no program of this user can listen at a port.
check_port() { # variable, port, command with another port
    [[ $2 =~ ^[1-9][0-9]{0,4}$ ]] && (($2 < 65536)) || fail "$1 takes a number from 1 to 65535, not '$2': $3"
    if (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; then
        fail "Port $2 is in use. Stop the program there, or choose another: $3"
    fi
}

# Shows the steps of a build, and before it the packages that are fetched, in one line with the minutes so far. The
# compiler's messages are unchanged; notes about the packages' own files are left out.
progress() {
    local line step time seconds last=-1 ended=''
    while IFS= read -r line; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]]; then
            step="step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}: ${BASH_REMATCH[3]}"
        elif [[ $line =~ ^(Fetch|Updat|Comput|Creating\ working\ copy|Working\ copy).*/([^/ ]+) ]]; then
            step="packages: ${BASH_REMATCH[2]%.git}"
        else
            [[ $line == Building\ for* || $line == "warning: 'swift-"* || $line == "    $root/.build/checkouts/"* ]] ||
                printf '%s%s\n' "$ended" "$line"
            continue
        fi
        seconds=$SECONDS
        printf -v time '%d:%02d' $((seconds / 60)) $((seconds % 60))
        if [[ -t 1 ]]; then
            printf '\r\033[K%s  %.70s' "$time" "$step"
            ended=$'\r\033[K'
        elif ((seconds / 20 != last)); then
            last=$((seconds / 20))
            say "$time  $step"
        fi
    done
}

# A script that builds several products says these sentences before the first one.
build() {
    [[ -z ${BINARIES:-} ]] || return 0
    if [[ -z ${has_built:-} ]]; then
        if [[ ! -x $binaries/storectl || ! -x $binaries/BuyFruit ]]; then
            say "Building the store, BuyFruit and their dependencies. This takes about eight minutes on two cores, once."
        fi
        if ! has_libpq; then
            say "libpq isn't here: the store is built without PostgreSQL, and with SQLite. (libpq-dev brings it.)"
        fi
    fi
    has_built=yes
    swift build "${swift_flags[@]}" "$@" 2>&1 | progress
}
