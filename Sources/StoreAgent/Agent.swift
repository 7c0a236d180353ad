// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Logging
package import StoreAPI
package import StoreCore
import Synchronization

/// The device's side of the store for one app: the payment queue, the receipt
/// and the connection to the store.
///
/// Every process of the app has its own agent. The agents share a journal.
/// One of them synchronizes it with the store, and each transaction is
/// delivered by one of them at a time.
///
/// ```swift
/// let agent = try Agent(configuration, connection: connection, presenter: presenter, clock: clock,
///     random: random, logger: logger)
/// agent.observe { updates in … }
/// try await agent.run()
/// ```
package final class Agent: Sendable {
    /// The configuration that the agent was made with.
    package let configuration: AgentConfiguration
    let journal: Journal
    let folder: AgentFolder
    let cache: CacheFolder
    let files: any FileSystem
    let identity: DeviceIdentity
    let store: StoreClient
    let presence: any ProcessPresence
    let delivery: Delivery
    let synchronizer: StoreSynchronizer
    let clock: AgentClock
    let random: AgentRandom
    let faults: FaultPoints
    let verifier: SignedVerifier
    /// The account whose first signed transactions a reading has waited for.
    let hasWaitedForSigned = Mutex<String?>(nil)
    private let handover: DaemonHandover?
    /// Runs work that blocks its thread, for asynchronous functions.
    let blockingWork: any WorkQueue

    /// Opens the agent's folder and journal, and creates them at first use.
    ///
    /// Nothing is sent before ``run()``, and nothing is delivered before
    /// ``observe(as:_:)``. `faults` is called with the name of each step of a
    /// purchase when the step is reached, for example `arrived:before`.
    ///
    /// - Throws: ``AgentError`` with the code `home`, and `DatabaseError` for
    ///   a journal that can't be opened or is of a newer version.
    package init(
        _ configuration: AgentConfiguration, connection: any StoreConnection, presenter: any SheetPresenter,
        clock: AgentClock, random: AgentRandom, faults: @escaping FaultHandler = { _ in },
        system: any AgentSystem = PosixSystem(), logger: Logger
    ) throws {
        self.configuration = configuration
        self.clock = clock
        self.random = random
        self.faults = FaultPoints(handler: faults)
        folder = AgentFolder(home: configuration.home, bundleIdentifier: configuration.bundleIdentifier)
        try folder.create()
        files = system.files
        identity = try DeviceIdentity.loadOrCreate(in: folder, files: files, random: random)
        blockingWork = system.makeQueue("StoreAgent.blocking")
        let journal = try Journal(try system.openJournal(folder.journal), device: identity.credentials.identifier)
        self.journal = journal

        cache = CacheFolder(
            caches: configuration.caches, bundleIdentifier: configuration.bundleIdentifier,
            device: identity.credentials.identifier)
        let signals = PendingSignals()
        let wakeHandler = WakeHandler()
        presence = try system.enter(
            random.hexadecimal(bytes: 16), in: folder.processes, woken: { wakeHandler.look() })
        let since = try journal.enter(presence.identifier, isAlive: presence.isAlive)
        delivery = Delivery(
            queue: system.makeQueue("StoreAgent.delivery"), journal: journal, presence: presence, signals: signals,
            unwritten: UnwrittenFinishes(journal: journal, clock: clock, random: random, logger: logger),
            cache: cache, files: files, faults: self.faults, logger: logger, storefront: try journal.state().storefront,
            keyValueChange: try journal.keyValueChange())
        let watch = DaemonWatch()
        wakeHandler.take(delivery, signals, watch)

        store = StoreClient(connection: connection, credentials: identity.credentials)
        let receipts = ReceiptKeeper(
            folder: folder, files: files, trust: configuration.trust, storeURL: configuration.storeURL,
            deviceIdentifier: identity.identifier)
        verifier = SignedVerifier(
            bundleIdentifier: configuration.bundleIdentifier, device: identity.identifier, roots: receipts.signingRoots)
        synchronizer = StoreSynchronizer(
            system: system, folder: folder, configuration: configuration, journal: journal, store: store,
            receipts: receipts,
            cache: cache, files: files, restrictions: DeviceRestrictions(home: configuration.home),
            presenter: presenter, signals: signals,
            clock: clock, random: random, faults: self.faults, logger: logger,
            since: since, isAlive: { [presence] in presence.isAlive($0) },
            changed: { [delivery, presence] in
                delivery.look()
                signals.wake()
                presence.wakeOthers()
            },
            progressed: { [delivery, presence] in
                delivery.look()
                presence.wakeOthers()
            })
        handover = system.daemon(of: configuration.home, clock).map { [synchronizer] door in
            DaemonHandover(door: door, synchronizer: synchronizer, watch: watch)
        }
        // Another process of this app may have died after a write and before
        // its wake-up.
        presence.wakeOthers()
    }

    deinit {
        presence.leave()
    }

    /// Wakes tasks after each possible change of the journal, by this process
    /// or another.
    package var changes: ChangeSignal { delivery.changes }

    /// The transactions that a purchase of StoreKit 2 has returned in this
    /// process and that the app hasn't finished.
    package var returnedTransactions: ReturnedTransactions { delivery.returned }

    /// The credentials that the device sends to the store.
    package var credentials: DeviceCredentials { identity.credentials }

    /// The device's identifier, 16 bytes, for which receipts are made.
    package var deviceIdentifier: Data { identity.identifier }

    /// The location of the receipt. The name depends on the environment;
    /// before the store has sent its environment, it is the sandbox's.
    package var receiptURL: URL {
        let environment = (try? journal.state())?.environment
        return folder.receipt(isSandbox: environment != "Production")
    }

    /// The receipt of a single transaction, in the format that preceded app
    /// receipts; `nil` before it was fetched, and after the transaction has
    /// left the journal.
    package func transactionReceipt(_ transactionIdentifier: String) -> Data? {
        (try? journal.transactionReceipt(transactionIdentifier)).flatMap { Data(base64Encoded: $0) }
    }

    /// The account's time, in milliseconds since 1970: the device's, moved as
    /// the clock of a sandbox account is. No call of StoreKit 1 shows a time,
    /// so tests are its only readers: they check by it that the move of a
    /// clock has reached the device, and that its journal keeps the offset.
    package var accountTime: Int64 { clock.now + ((try? journal.state())?.clockOffset ?? 0) }

    /// The customer's storefront; `nil` until the store has sent one.
    package var storefront: StorefrontInfo? { (try? journal.state())?.storefront }

    /// Whether the device allows payments now.
    package var canMakePayments: Bool { synchronizer.restrictions.refusal == nil }

    /// Synchronizes with the store until the task is cancelled, while no other
    /// process of the app does, and no daemon.
    ///
    /// - Throws: `CancellationError`, ``AgentError`` with the code
    ///   `journalVersion` after a newer version has changed the journal.
    package func run() async throws {
        if let handover { return try await handover.run() }
        try await synchronizer.run()
    }

    /// Stops the delivery of updates and releases the transactions of this
    /// process to the app's other processes.
    package func close() {
        delivery.close()
        presence.leave()
        try? journal.leave(presence.identifier)
        synchronizer.changed()
    }
}
