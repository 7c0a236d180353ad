// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import ServiceLifecycle
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreServer
import StoreService

/// A complete store, with real keys and the system's time and randomness.
struct BenchmarkStore: Sendable {
    static let app = "com.example.fruit"
    /// A consumable, which a customer may buy repeatedly.
    static let product = "juice"

    /// The URL of a proxy with TLS: without https the store sets no cookies.
    static let publicURL = "https://store.example"

    let store: Store
    var service: StoreService { store.service }
    var context: StoreContext { store.context }

    /// All rows share one authority, because making RSA keys takes up to a
    /// second.
    static let authority: Result<SigningAuthority, any Error> = Result {
        var generator = SystemRandomNumberGenerator()
        return try SigningAuthority.create(using: &generator)
    }

    init(in folder: URL) async throws {
        try await self.init(SQLiteDatabase(.file(folder.appending(path: "store.sqlite").path)))
    }

    init(_ database: any Database) async throws {
        var logger = Logger(label: "store", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .notice
        let app = App(bundleIdentifier: BundleIdentifier(Self.app), name: "Fruit")
        store = try await Store.open(
            StoreConfiguration(
                database: database, clock: Self.clock, random: RandomSource(SystemRandomNumberGenerator())),
            serving: ServingConfiguration(
                authority: try Self.authority.get(), publicURL: Self.publicURL, logger: logger,
                catalogues: [
                    .init(
                        app: app,
                        file: try StoreKitConfigurationFile(
                            Data(Self.catalogue.utf8), file: "benchmark.storekit",
                            bundleIdentifier: app.bundleIdentifier))
                ]))
    }

    func server(port: Int, onServerRunning: @escaping @Sendable () async -> Void) throws -> any Service {
        try buildApplication(
            service, store.housekeeping, ServerConfiguration(host: "127.0.0.1", port: port), logger: service.logger,
            onServerRunning: onServerRunning)
    }

    /// Checks that this number of purchases was charged once and finished.
    func expect(purchases: Int) async throws {
        for (table, expected) in [("purchase", purchases), ("ledger_entry", purchases), ("queue_entry", 0)] {
            let found: Int? = try await context.database.read { connection in
                try connection.row("SELECT count(*) AS n FROM \(table)")?.get("n")
            }
            guard found == expected else {
                throw BenchmarkFailure("\(table) has \(found ?? 0) rows after \(purchases) purchases.")
            }
        }
    }

    private static let clock = WallClock(
        now: { WallTime(Date()) },
        sleep: { until in
            try await Task.sleep(for: .milliseconds(max(0, until.milliseconds - WallTime(Date()).milliseconds)))
        })

    /// An Xcode configuration file.
    static let catalogue = """
        {
          "products" : [
            { "displayPrice" : "0.49", "familyShareable" : false, "internalID" : "1", "productID" : "\(product)",
              "referenceName" : "Juice", "type" : "Consumable", "localizations" : [
                { "description" : "A glass", "displayName" : "Juice", "locale" : "en_US" } ] }
          ],
          "version" : { "major" : 2, "minor" : 0 }
        }
        """
}
