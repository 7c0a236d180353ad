// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import ServiceLifecycle
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreMeasurement
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
    /// The store's database, which counts.
    let database: RecordingDatabase
    /// The same database, whose calls aren't counted.
    let engine: any Database
    private let metrics = PrometheusMetrics()
    var service: StoreService { store.service }
    var context: StoreContext { store.context }

    /// All rows share one authority, because making RSA keys takes up to a
    /// second.
    static let authority: Result<SigningAuthority, any Error> = Result {
        var generator = SystemRandomNumberGenerator()
        return try SigningAuthority.create(using: &generator)
    }

    init(
        in folder: URL, products: Int = 1, apps: Int = 1, hosting: ContentHosting? = nil,
        notifications: (any NotificationSender)? = nil
    ) async throws {
        try await self.init(
            SQLiteDatabase(.file(Self.file(in: folder).path)), products: products, apps: apps, hosting: hosting,
            notifications: notifications)
    }

    /// The file of a SQLite store.
    static func file(in folder: URL) -> URL { folder.appending(path: "store.sqlite") }

    /// Opens a store in which ``app``, and further apps up to a number of
    /// them, sell ``product`` and further products up to a number of them.
    init(
        _ engine: any Database, products: Int = 1, apps: Int = 1, hosting: ContentHosting? = nil,
        notifications: (any NotificationSender)? = nil
    ) async throws {
        var logger = Logger(label: "store", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .notice
        self.engine = engine
        database = RecordingDatabase(engine, keepsFirst: false)
        var configuration = StoreConfiguration(
            database: database, clock: Self.clock, random: RandomSource(SystemRandomNumberGenerator()))
        configuration.metrics = metrics
        configuration.hosting = hosting
        configuration.notifications = notifications
        // The rows of a grown store are old: to delete them would be another
        // load.
        for kind in Retention.kinds { configuration.retention[keyPath: kind.days] = Retention.longest }
        store = try await Store.open(
            configuration,
            serving: ServingConfiguration(
                authority: try Self.authority.get(), publicURL: Self.publicURL, logger: logger,
                catalogues: try Self.apps(apps).map { try Self.import(of: $0, products: products) }))
    }

    private static func `import`(of app: String, products: Int) throws -> ServingConfiguration.Catalogue {
        let app = App(bundleIdentifier: BundleIdentifier(app), name: "Fruit")
        return ServingConfiguration.Catalogue(
            app: app,
            file: try StoreKitConfigurationFile(
                Data(catalogue(products: products).utf8), file: "benchmark.storekit",
                bundleIdentifier: app.bundleIdentifier))
    }

    /// The store's work until now.
    var spent: Spending {
        var spent = Spending()
        spent.database = database.count
        for line in metrics.text().split(separator: "\n") {
            guard let number = line.split(separator: " ").last.flatMap({ Double($0) }) else { continue }
            if line.hasPrefix("openstorekit_http_requests_total{") { spent.requests += Int(number) }
            if line.hasPrefix("\(StoreMeters.Name.signatures){") { spent.signatures += Int(number) }
        }
        return spent
    }

    func server(port: Int, onServerRunning: @escaping @Sendable () async -> Void) throws -> any Service {
        try server(port: port, limits: ServerLimits(), onServerRunning: onServerRunning)
    }

    /// A server with limits that an operator has set, and with the metrics of
    /// `serve`.
    func server(
        port: Int, limits: ServerLimits, onServerRunning: @escaping @Sendable () async -> Void
    ) throws -> any Service {
        var configuration = ServerConfiguration(host: "127.0.0.1", port: port)
        configuration.limits = limits
        configuration.metrics = MetricsConfiguration(metrics)
        return try buildApplication(
            service, store.housekeeping, configuration, logger: service.logger, onServerRunning: onServerRunning)
    }

    /// The numbers of rows that purchases leave.
    struct Books: Hashable, Sendable {
        var purchases = 0
        var ledgerEntries = 0
        /// The purchases that no device has finished.
        var unfinished = 0
    }

    var books: Books {
        get async throws {
            func count(_ table: String) async throws -> Int {
                try await engine.read { connection in
                    try connection.row("SELECT count(*) AS n FROM \(table)")?.get("n") ?? 0
                }
            }
            return Books(
                purchases: try await count("purchase"), ledgerEntries: try await count("ledger_entry"),
                unfinished: try await count("queue_entry"))
        }
    }

    /// Checks that this number of purchases was charged once and finished
    /// since the books were read.
    func expect(purchases: Int, since books: Books = Books()) async throws {
        var expected = books
        expected.purchases += purchases
        expected.ledgerEntries += purchases
        let found = try await self.books
        guard found == expected else {
            throw BenchmarkFailure("After \(purchases) purchases the store has \(found), not \(expected).")
        }
    }

    private static let clock = WallClock(
        now: { WallTime(Date()) },
        sleep: { until in
            try await Task.sleep(for: .milliseconds(max(0, until.milliseconds - WallTime(Date()).milliseconds)))
        })

    /// An Xcode configuration file with one product.
    static let catalogue = catalogue(products: 1)

    /// The identifiers of the products of a catalogue.
    static func products(_ count: Int) -> [String] {
        (0..<count).map { $0 == 0 ? product : "\(product)\($0)" }
    }

    /// The bundle identifiers of the apps of a store.
    static func apps(_ count: Int) -> [String] {
        (0..<count).map { $0 == 0 ? app : "\(app)\($0)" }
    }

    private static func catalogue(products count: Int) -> String {
        let products = products(count).enumerated().map { number, product in
            """
            { "displayPrice" : "0.49", "familyShareable" : false, "internalID" : "\(number + 1)",
              "productID" : "\(product)", "referenceName" : "Juice", "type" : "Consumable", "localizations" : [
                { "description" : "A glass", "displayName" : "Juice", "locale" : "en_US" } ] }
            """
        }
        return """
            { "products" : [ \(products.joined(separator: ", ")) ], "version" : { "major" : 2, "minor" : 0 } }
            """
    }
}
