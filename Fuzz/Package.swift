// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A package of its own, because libFuzzer needs flags that a package can't
// have as a dependency of others. `make fuzz SECONDS=60` builds and runs it.
//
// All targets but one are links to the sources of the main package, under the
// same names: a dependency on that package would give access to its products
// only, and the messages of the devices are in no product. Of StoreDomain and
// StoreServer only the files that read a form are linked, so that neither the
// databases nor the rest of the store are built. Settings and versions are
// those of the main package's manifest.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .target(
            name: "AppReceipts",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: swiftSettings),
        .target(name: "StoreCore", swiftSettings: swiftSettings),
        .target(name: "StoreAPI", dependencies: ["StoreCore"], swiftSettings: swiftSettings),
        .target(name: "StoreDomain", dependencies: ["StoreCore"], swiftSettings: swiftSettings),
        .target(
            name: "StoreServer",
            dependencies: ["StoreDomain", "StoreAPI", .product(name: "Hummingbird", package: "hummingbird")],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "Fuzzer",
            dependencies: ["AppReceipts", "StoreAPI", "StoreDomain", "StoreServer"],
            swiftSettings: swiftSettings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ]
)
