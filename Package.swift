// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackageDescription

// The PostgreSQL engine is built if libpq's headers are installed (libpq-dev).
// All other targets are built without libpq. SwiftPM caches an evaluated
// manifest, so the scripts set OPENSTOREKIT_LIBPQ to `here` or `none`: a change
// of the variable evaluates the manifest again.
let hasPostgreSQL =
    Context.environment["OPENSTOREKIT_LIBPQ"] != "none"
    && [
        "/usr/include/postgresql", "/usr/include", "/usr/local/include", "/opt/homebrew/opt/libpq/include",
        "/usr/local/opt/libpq/include",
    ].contains { FileManager.default.fileExists(atPath: "\($0)/libpq-fe.h") }

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Each dependency has one importer: the table in ARCHITECTURE.md lists the
// imports of each target, and `scripts/check` enforces it for every file.
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")

/// The settings of targets that use every available database engine.
let engineSettings = swiftSettings + (hasPostgreSQL ? [.define("POSTGRESQL")] : [])
let engines: [Target.Dependency] = ["StoreDatabase"] + (hasPostgreSQL ? ["StorePostgreSQL"] : [])

let package = Package(
    name: "OpenStoreKit",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
        .library(name: "AppReceipts", targets: ["AppReceipts"]),
        .executable(name: "storectl", targets: ["storectl"]),
        .executable(name: "storeagentd", targets: ["storeagentd"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "StoreCore", swiftSettings: swiftSettings),
        .target(name: "StoreAPI", dependencies: ["StoreCore"], swiftSettings: swiftSettings),
        .target(
            name: "AppReceipts",
            dependencies: [
                crypto, cryptoExtras,
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: swiftSettings),
        // A function of SQLite that Swift can't call.
        .target(name: "CStoreDatabase"),
        .target(
            name: "StoreDatabase",
            dependencies: [
                "CStoreDatabase",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "StoreDomain",
            dependencies: ["StoreCore", "AppReceipts", "StoreDatabase", crypto, cryptoExtras, logging, metrics],
            swiftSettings: swiftSettings, plugins: ["EmbedFiles"]),
        .target(
            name: "StoreService",
            dependencies: ["StoreCore", "StoreDomain", "StoreAPI", "AppReceipts", crypto, lifecycle, logging],
            swiftSettings: swiftSettings),
        // Hosted content in a bucket with the interface of Amazon S3.
        .target(
            name: "StoreBucket",
            dependencies: [
                "StoreCore", "StoreDomain", asyncHTTPClient, crypto,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        // Requests of the store to addresses that sellers choose.
        .target(
            name: "StoreOutbound",
            dependencies: [
                "StoreCore", "StoreDomain", asyncHTTPClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "StoreAssembly",
            dependencies: [
                "StoreCore", "StoreService", "StoreDomain", "StoreDatabase", "AppReceipts", logging, metrics,
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "StoreServer",
            dependencies: [
                "StoreCore", "StoreService", "StoreDomain", "StoreAPI", "AppReceipts", hummingbird, lifecycle, logging,
                metrics, mustache,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings, plugins: ["EmbedFiles"]),
        .target(
            name: "StoreAgent",
            dependencies: [
                "StoreCore", "StoreAPI", "AppReceipts", "StoreDatabase", asyncHTTPClient, crypto, lifecycle, logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings),
        // The declarations of StoreKit that Swift can't express.
        .target(name: "CStoreKit"),
        .target(
            name: "StoreKit",
            dependencies: [
                "StoreCore", "StoreAgent", "StoreAPI", "AppReceipts", "CStoreKit", crypto, lifecycle, logging,
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "StoreKitTest",
            dependencies: [
                "StoreAssembly", "StoreCore", "StoreKit", "StoreAgent", "StoreService", "StoreDomain", "StoreDatabase",
                "StoreAPI",
                "AppReceipts",
                logging,
            ],
            swiftSettings: swiftSettings),
        // Scripts that a store plays.
        .target(
            name: "StoreScenarios",
            dependencies: ["AppReceipts", .product(name: "Yams", package: "Yams")],
            swiftSettings: swiftSettings, plugins: ["EmbedFiles"]),
        // Files that are part of a target's code.
        .executableTarget(name: "embed-files", path: "Plugins/embed-files", swiftSettings: swiftSettings),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
        .executableTarget(
            name: "storectl",
            dependencies: [
                "StoreAssembly", "StoreBucket", "StoreOutbound", "StoreCore", "StoreServer", "StoreService",
                "StoreDomain", "StoreAPI", "StoreAgent", "StoreScenarios", "AppReceipts",
                asyncHTTPClient,
                lifecycle,
                logging,
                metrics,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + engines,
            swiftSettings: engineSettings),
        .executableTarget(
            name: "storeagentd",
            dependencies: [
                "StoreCore", "StoreAgent", lifecycle, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),

        // The example's only import from this package is StoreKit. It is a
        // target here, because a package of its own would build every
        // dependency a second time. `scripts/check` rejects any import that
        // a package can't have.
        .executableTarget(
            name: "BuyFruit",
            dependencies: ["StoreKit", hummingbird, lifecycle, mustache],
            path: "Examples/BuyFruit/Sources/BuyFruit",
            resources: [.copy("Resources")],
            swiftSettings: swiftSettings),

        // A seller's back end and its app. They are targets here for BuyFruit's reason.
        .executableTarget(
            name: "FlowerGardenServer",
            dependencies: ["AppReceipts", crypto, cryptoExtras, hummingbird],
            path: "Examples/FlowerGarden/Sources/FlowerGardenServer",
            resources: [.copy("Resources")],
            swiftSettings: swiftSettings),
        // The app: the queue of purchases, the four ways to persist them, and the page.
        .executableTarget(
            name: "FlowerGarden", dependencies: ["AppReceipts", "StoreKit", crypto, hummingbird, lifecycle, mustache],
            path: "Examples/FlowerGarden/Sources/FlowerGarden",
            resources: [.copy("Resources")],
            swiftSettings: swiftSettings),

        .executableTarget(
            name: "StoreBenchmarks",
            dependencies: [
                "StoreAssembly", "StoreCore", "StoreServer", "StoreService", "StoreDomain", "StoreAPI", "StoreAgent",
                "StoreOutbound", "StoreKit", "StoreKitTest",
                "AppReceipts", crypto, cryptoExtras, hummingbird, lifecycle, logging,
                .product(name: "NIOCore", package: "swift-nio"),
                metrics,
                // SQLite's own C functions: a limit measured through GRDB would be GRDB's limit.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                "StoreMeasurement",
            ] + engines,
            path: "Benchmarks", swiftSettings: engineSettings),

        .testTarget(
            name: "AppReceiptsTests",
            dependencies: [
                "AppReceipts", "StoreTestSupport", crypto, cryptoExtras,
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: swiftSettings),
        // Shared by tests and benchmarks: a database that records, and a store with years of sales.
        .target(
            name: "StoreMeasurement", dependencies: ["StoreDatabase"], path: "Tests/StoreMeasurement",
            swiftSettings: swiftSettings),
        // Shared by tests: the engines, a clock that tests move, a whole store.
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "StoreAssembly", "StoreService", "StoreDomain", "StoreCore", "StoreAPI", "AppReceipts",
                "StoreMeasurement", logging, metrics,
            ] + engines
                + (hasPostgreSQL ? ["CStorePostgreSQL"] : []),
            path: "Tests/StoreTestSupport", swiftSettings: engineSettings),
        .testTarget(
            name: "StoreDatabaseTests", dependencies: ["StoreDatabase", "StoreTestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreScenariosTests", dependencies: ["StoreScenarios", "AppReceipts"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreBucketTests",
            dependencies: [
                "StoreBucket", "StoreDomain", "StoreTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreOutboundTests",
            dependencies: [
                "StoreOutbound", "StoreDomain", "StoreTestSupport", .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreAgentTests",
            dependencies: [
                "StoreAgent", "StoreCore", "StoreAPI", "AppReceipts", "StoreDatabase", "StoreTestSupport", crypto,
            ],
            swiftSettings: swiftSettings),
        .testTarget(name: "StoreKitAPITests", dependencies: ["StoreKit"], swiftSettings: swiftSettings),
        // An app that links StoreKit and doesn't import it; see scripts/receipt-url.
        .executableTarget(
            name: "ReceiptProbe", dependencies: ["StoreKit"], path: "Tests/ReceiptProbe",
            swiftSettings: swiftSettings),
        // An app that downloads files from its seller's own server; see Tests/Processes/seller_files.py.
        .executableTarget(
            name: "DownloadProbe", dependencies: ["StoreKit"], path: "Tests/DownloadProbe",
            swiftSettings: swiftSettings),
        // An app that uses StoreKit 2; see Tests/Processes/transaction_app.py.
        .executableTarget(
            name: "TransactionProbe", dependencies: ["StoreKit"], path: "Tests/TransactionProbe",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreKitTestTests",
            dependencies: [
                "StoreKit", "StoreKitTest", "StoreAgent", "StoreDatabase", "AppReceipts", "StoreTestSupport", crypto,
            ],
            resources: [.copy("Resources/Basket.storekit")], swiftSettings: swiftSettings),
        .testTarget(
            name: "BuyFruitTests",
            dependencies: [
                "BuyFruit", "StoreKit", "StoreKitTest", "StoreTestSupport", hummingbird,
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "FlowerGardenTests",
            dependencies: [
                "AppReceipts", "FlowerGarden", "FlowerGardenServer", "StoreKit", "StoreKitTest", "StoreServer",
                "StoreTestSupport", hummingbird,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: swiftSettings),
        // Code of other projects that uses StoreKit, in its own language
        // mode.
        .testTarget(
            name: "StoreKitClientTests", dependencies: ["StoreKit", "StoreKitTest", "AppReceipts", "StoreTestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "StoreKitTests",
            dependencies: [
                "StoreKit", "StoreAgent", "StoreCore", "StoreAPI", "StoreDatabase", "AppReceipts", "StoreTestSupport",
                crypto,
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreDomainTests",
            dependencies: [
                "StoreAssembly", "StoreDomain", "StoreService", "StoreCore", "StoreAPI", "StoreDatabase", "AppReceipts",
                "StoreTestSupport", "StoreMeasurement", crypto,
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreServerTests",
            dependencies: [
                "StoreAssembly", "StoreServer", "StoreService", "StoreDomain", "StoreCore", "StoreAPI", "AppReceipts",
                "StoreTestSupport", "StoreMeasurement",
                hummingbird, logging, metrics,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "StoreAssembly", "StoreAgent", "StoreService", "StoreDomain", "StoreCore", "StoreAPI", "StoreDatabase",
                "AppReceipts",
                "StoreTestSupport", "StoreMeasurement",
            ],
            swiftSettings: swiftSettings),
        // Whole purchases on simulated time, networks and disks.
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "StoreAssembly", "StoreAgent", "StoreKit", "StoreService", "StoreDomain", "StoreCore", "StoreAPI",
                "StoreDatabase", "AppReceipts",
                "StoreTestSupport", crypto,
                // SQLite's own C functions: its disk interface (VFS) is below GRDB.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
    ]
)

if hasPostgreSQL {
    package.targets += [
        .systemLibrary(
            name: "CStorePostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "StorePostgreSQL", dependencies: ["StoreCore", "StoreDatabase", "CStorePostgreSQL"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StorePostgreSQLTests",
            dependencies: [
                "StoreAssembly", "StorePostgreSQL", "StoreService", "StoreDomain", "StoreCore", "StoreAPI",
                "StoreDatabase",
                "StoreTestSupport",
            ],
            swiftSettings: swiftSettings),
    ]
}

#if os(Linux)
// Modules of Apple's platforms that code around StoreKit imports, over swift-log.
package.products.append(.library(name: "os", targets: ["os", "OSLog"]))
package.targets += [
    .target(name: "os", dependencies: [logging], swiftSettings: swiftSettings),
    .target(name: "OSLog", dependencies: ["os"], swiftSettings: swiftSettings),
    .testTarget(name: "OSLogTests", dependencies: ["os", "OSLog", logging], swiftSettings: swiftSettings),
]
#endif
