// SPDX-License-Identifier: Apache-2.0

import Testing

/// Runs the tests of all targets by Swift Testing.
///
/// Without a file of this name SwiftPM looks for tests of XCTest in the index of the compiler, and there are none. The
/// index would take a quarter of the compiler's time (`--disable-index-store` in scripts/common.sh).
@main
struct Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
