// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, because libFuzzer takes flags that a package which
// others depend on can't have. `make fuzz SECONDS=60` builds and runs it.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenStoreKit", path: "..")],
    targets: [
        .executableTarget(
            name: "ReceiptFuzzer",
            dependencies: [.product(name: "AppReceipts", package: "OpenStoreKit")],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
    ]
)
