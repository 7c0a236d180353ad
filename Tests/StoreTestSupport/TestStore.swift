// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import Foundation
import Logging
package import Metrics
import StoreAPI
import StoreAssembly
package import StoreCore
package import StoreDatabase
package import StoreDomain
package import StoreService
import Synchronization
import Testing

#if POSTGRESQL
import StorePostgreSQL
#endif

/// A whole store in the test's process, with a real engine and real keys.
/// Only time, randomness and the customer are the test's.
package final class TestStore: Sendable {
    package let context: StoreContext
    package let service: StoreService
    package let clock: TestClock
    /// Payments of more than this are declined.
    package let cardLimit = CardLimit()
    /// The folder of the store's content.
    package let contentFolder: TemporaryFolder

    /// The work of a password's hash: little, because nearly every test opens
    /// accounts.
    package static let passwordCost = PasswordCost(rounds: 16)

    package static let bundleIdentifier = "com.example.fruit"
    package static let password = "correct horse"

    /// One authority for all tests: making RSA keys takes up to a second.
    package static let authority: Result<SigningAuthority, any Error> = Result {
        var generator = SeededGenerator(seed: 1)
        return try SigningAuthority.create(using: &generator)
    }

    package init(
        _ database: any Database, clock: TestClock = TestClock(), seed: UInt64 = 7,
        provider: (any PaymentProvider)? = nil, faults: @escaping FaultHandler = { _ in },
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, bus: (any NewsBus)? = nil,
        leaseDuration: Duration? = nil, environment: StoreEnvironment = .sandbox,
        storage: (FolderStorage) -> any ContentStorage = { $0 }, contentQuota: Int64 = ContentHosting.quota,
        log: RecordingLogHandler? = nil, publicURL: String = "https://store.example", askToBuyLimit: Duration? = nil,
        mail: (any MailSender)? = nil, notifications: (any NotificationSender)? = nil,
        propagation: Propagation = Propagation(), qrCodes: (any QRCodeMaker)? = nil
    ) async throws {
        self.clock = clock
        contentFolder = try TemporaryFolder()
        var configuration = StoreConfiguration(
            database: database, clock: clock.wallClock, random: RandomSource(SeededGenerator(seed: seed)))
        configuration.provider =
            provider
            ?? SandboxPaymentProvider(
                database: database, clock: clock.wallClock,
                decline: { [cardLimit] in $0.milliunits > cardLimit.milliunits ? "The card was declined." : nil })
        configuration.passwordCost = Self.passwordCost
        configuration.faults = faults
        configuration.mail = mail
        configuration.propagation = propagation
        configuration.qrCodes = qrCodes
        configuration.notifications = notifications
        configuration.metrics = metrics
        configuration.bus = bus
        configuration.leaseDuration = leaseDuration ?? Self.leaseDuration(on: database)
        configuration.environment = environment
        configuration.askToBuyLimit = askToBuyLimit
        // Small parts, so that small contents have several.
        var hosting = ContentHosting(
            storage: storage(FolderStorage(contentFolder.url, partBytes: 1024)), quota: contentQuota)
        // Stores with one seed make files of one name at the same time.
        hosting.incoming = contentFolder.path("incoming")
        configuration.hosting = hosting
        let app = App(bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), name: "Fruit")
        let store = try await Store.open(
            configuration,
            serving: ServingConfiguration(
                authority: try Self.authority.get(), publicURL: publicURL,
                logger: log.map { log in Logger(label: "test", factory: { _ in log }) } ?? .silent,
                catalogues: [
                    .init(
                        app: app,
                        file: try StoreKitConfigurationFile(
                            Data(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: app.bundleIdentifier))
                ]))
        context = store.context
        service = store.service
    }

    /// How long leases last. On PostgreSQL they run out in real time, and a test
    /// that stops for longer would lose them.
    private static func leaseDuration(on database: any Database) -> Duration {
        #if POSTGRESQL
        if database is PostgreSQLDatabase { return .beyondTests }
        #endif
        guard let passing = database as? any PassingDatabase else { return Lease.duration }
        return leaseDuration(on: passing.engine)
    }

    /// Opens an account with ``password``.
    package func addAccount(
        _ email: String = "anna@example.com", storefront: String = "USA", asksToBuy: Bool = false
    ) async throws -> Account {
        let account = try await AddingAccount(context)(
            email: email, password: Self.password, storefront: storefront)
        return asksToBuy ? try await service.change(account: email, .init(switches: [.asksToBuy: true])) : account
    }

    /// Registers a device with a number.
    package func addDevice(_ number: UInt8 = 1) async throws -> TestDevice {
        let device = TestDevice(number: number, store: self)
        _ = try await device.call(RegisterCall())
        return device
    }

    /// The amounts in the ledger, in thousandths, the largest first.
    package func ledger() async throws -> [Int64] {
        try await amounts().sorted(by: >)
    }

    /// The amounts in the ledger in thousandths, in order of time: those of an
    /// account, or all.
    package func amounts(of account: AccountIdentifier? = nil) async throws -> [Int64] {
        try await ReadingLedger(context)().filter { account == nil || $0.account == account }
            // The engines order the identifiers of one moment differently.
            .sorted { ($0.at, $0.identifier) < ($1.at, $1.identifier) }.map(\.amount.milliunits)
    }

    /// Records a migration that this version doesn't know, as a newer version
    /// does.
    package func recordNewerSchema() async throws {
        try await context.database.write { connection in
            _ = try connection.run("INSERT INTO schema_migration (name, applied) VALUES ('999 newer', 999)")
        }
    }

    /// Ends all leases, those of this process too, as if they had run out.
    package func endLeases() async throws {
        try await context.database.write { connection in
            for table in ["payment", "refund", "subscription", "family_sharing", "notification_turn"] {
                try connection.run("UPDATE \(table) SET leased_until = 0 WHERE leased_until > 0")
            }
        }
    }

    /// The transaction identifier of the only request that waits for a
    /// decision.
    package func onlyUndecided() async throws -> TransactionIdentifier {
        let requests = try await service.undecided()
        return try #require(requests.count == 1 ? requests.first?.transactionIdentifier : nil)
    }

    /// How many rows of a table meet a condition.
    package func count(_ table: String, where condition: String = "1 = 1") async throws -> Int {
        try await context.database.read { connection in
            let row = try connection.row("SELECT count(*) AS n FROM \(table) WHERE \(condition)")
            return try row?.get("n") ?? 0
        }
    }

    package static let catalogue = """
        {
          "products" : [
            { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1", "productID" : "apple",
              "referenceName" : "Apple", "type" : "NonConsumable", "localizations" : [
                { "description" : "A red apple", "displayName" : "Apple", "locale" : "en_US" },
                { "description" : "Ein roter Apfel", "displayName" : "Apfel", "locale" : "de_DE" } ] },
            { "displayPrice" : "1.99", "familyShareable" : false, "internalID" : "2", "productID" : "pear",
              "referenceName" : "Pear", "type" : "NonConsumable", "localizations" : [
                { "description" : "A pear", "displayName" : "Pear", "locale" : "en_US" } ] },
            { "displayPrice" : "0.49", "familyShareable" : false, "internalID" : "3", "productID" : "juice",
              "referenceName" : "Juice", "type" : "Consumable", "localizations" : [
                { "description" : "A glass", "displayName" : "Juice", "locale" : "en_US" } ] },
            { "displayPrice" : "0", "familyShareable" : false, "internalID" : "4", "productID" : "seed",
              "referenceName" : "Seed", "type" : "NonConsumable", "localizations" : [
                { "description" : "A seed", "displayName" : "Seed", "locale" : "en_US" } ] }
          ],
          "version" : { "major" : 2, "minor" : 0 }
        }
        """
}

/// The highest amount that the sandbox's payment provider authorises.
package final class CardLimit: Sendable {
    private let limit = Mutex(Int64.max)

    package var milliunits: Int64 {
        get { limit.withLock { $0 } }
        set { limit.withLock { $0 = newValue } }
    }
}
