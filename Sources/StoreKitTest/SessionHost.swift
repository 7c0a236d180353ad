// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreAPI
import StoreAgent
import StoreAssembly
import StoreCore
import StoreDatabase
import StoreDomain
import StoreKit
import StoreService
import Synchronization

/// A store and a signed-in device in the test's process. Only this file of a
/// session reads the system's time and starts tasks.
///
/// The store is the one that servers run, with its database in memory. The
/// device is the one that apps link.
final class SessionHost: Sendable {
    let executor: SessionExecutor
    let clock: SessionClock
    let store: Store
    var service: StoreService { store.service }
    let agent: Agent
    let account: Account
    /// The contents that the session hosts.
    let storage = SessionContentStorage()
    /// The bundle identifier of the app under test.
    let bundleIdentifier: String
    /// The root certificate (DER) of the session's receipts.
    let rootCertificate: Data
    let presenter: SessionPresenter
    private let home: URL
    private let running: Task<Void, Never>
    private let settings: @Sendable () -> SessionSettings
    private let ticker = Mutex<SessionTicker?>(nil)

    /// The email address of the session's account.
    static let customer = "tester@example.com"

    /// All sessions share one authority, because making its keys takes up to a
    /// second.
    private static let authority: Result<SigningAuthority, any Error> = Result {
        var generator = SessionGenerator(seed: 1)
        return try SigningAuthority.create(using: &generator)
    }

    /// The system's time, rounded down to a second.
    static var systemTime: WallTime { WallTime(milliseconds: Int64(Date().timeIntervalSince1970) * 1000) }

    /// Makes a store with the products of a configuration file, and a device.
    ///
    /// - Throws: ``SKTestError``.
    init(
        configuration xcode: Data, file: String, now: WallTime, settings: @escaping @Sendable () -> SessionSettings,
        takeContentFailure: @escaping @Sendable () -> SKTestSession.ContentFailure?
    ) throws {
        do {
            let app = try AgentHost.appUnderTest()
            let clock = SessionClock(now: now)
            let executor = SessionExecutor()
            let logger = Logger(label: "StoreKitTest") { _ in SwiftLogNoOpLogHandler() }
            let bundle = BundleIdentifier(app.bundleIdentifier)
            let catalogue = try StoreKitConfigurationFile(
                xcode, file: file, bundleIdentifier: bundle, keepsRepeatedOffers: true)
            let engine = try SQLiteDatabase(.memory)
            try Schema.copyTables(to: engine)
            var configuration = StoreConfiguration(
                database: SynchronousDatabase(engine: engine), clock: clock.wallClock,
                random: .counting(SessionGenerator(seed: 2)))
            configuration.provider = SandboxPaymentProvider(
                database: configuration.database, clock: clock.wallClock, decline: { _ in SessionRenewals.refusal })
            configuration.hosting = ContentHosting(storage: storage)
            let authority = try Self.authority.get()
            let serving = ServingConfiguration(
                authority: authority, publicURL: "https://store.invalid", logger: logger,
                catalogues: [
                    .init(app: App(bundleIdentifier: bundle, name: app.bundleIdentifier), file: catalogue)
                ])
            let store = try executor.run { [configuration] in
                try await Store.open(configuration, serving: serving)
            }
            let service = store.service
            let home = try Self.makeHome()
            let trust = home.appendingPathComponent("roots.pem")
            try Data(authority.rootsPEM.utf8).write(to: trust)
            let presenter = SessionPresenter(context: store.context, service: service, settings: settings)
            let agent = try Agent(
                AgentConfiguration(
                    storeURL: URL(string: "https://store.invalid"), bundleIdentifier: app.bundleIdentifier,
                    applicationVersion: app.applicationVersion, home: home,
                    trust: trust),
                connection: SessionConnection(
                    local: LocalStoreConnection(service), settings: settings, takeContentFailure: takeContentFailure,
                    clock: clock.agentClock),
                presenter: presenter, clock: clock.agentClock, random: AgentRandom(SessionGenerator(seed: 3)),
                system: SessionSystem(executor: executor), logger: logger)
            let account = try executor.run {
                try await OpeningTestAccount(store.context)(
                    email: Self.customer, storefront: settings().storefront,
                    device: DeviceIdentifier(agent.credentials.identifier), secret: agent.credentials.secret)
            }
            self.executor = executor
            self.clock = clock
            self.store = store
            self.agent = agent
            self.account = account
            bundleIdentifier = app.bundleIdentifier
            rootCertificate = authority.rootCertificate
            self.presenter = presenter
            self.home = home
            self.settings = settings
            running = Task(executorPreference: executor) { try? await agent.run() }
            executor.settle()
        } catch {
            throw SKTestError(describing: error)
        }
    }

    /// Ends all tasks of the session and removes the device's folder.
    func close() {
        ticker.withLock { $0 = nil }
        AgentHost.detach(agent)
        running.cancel()
        presenter.close()
        executor.settle()
        agent.close()
        executor.settle()
        Self.removeHome(home)
    }

    /// Makes the app's StoreKit use this device, in the place of the session's
    /// previous device or as the newest one.
    func attach(inPlaceOf before: SessionHost?) {
        AgentHost.attach(
            TestAgent(
                agent: agent, executor: executor, settle: { [executor] in executor.settle() },
                failure: { [settings] in settings().simulated[$0]?.simulated }),
            inPlaceOf: before?.agent)
    }

    /// Whether the renewals of subscriptions aren't paid.
    var declinesRenewals: Bool { settings().entersBillingRetry }

    /// Sets the speed of renewals and the grace period.
    func applyRenewalSettings() async throws {
        let settings = settings()
        _ = try await MovingClock(store.context)(email: account.email, .speed(settings.timeRate.speed))
        try await SettingGracePeriod(store.context)(
            days: settings.hasGracePeriod ? 16 : 0, of: BundleIdentifier(bundleIdentifier))
    }

    /// Lets the time run with the system's, or stand still, as the session's
    /// rate says.
    func runTime() {
        let runs = settings().timeRate != .realTime
        ticker.withLock { ticker in
            guard runs else { return ticker = nil }
            guard ticker == nil else { return }
            ticker = SessionTicker(now: { ContinuousClock.now }) { [weak self] passed in self?.advance(by: passed) }
            ticker?.run()
        }
    }

    /// Advances the time without a limit, and carries out the renewals and all
    /// other work that is then due.
    private func advance(by duration: Duration) {
        clock.advance(by: duration)
        try? perform { [self] _ in await renew() }
    }

    /// Performs an operation in the store and all work that follows from it.
    /// Called on the main queue, it also calls the app's observers before it
    /// returns.
    ///
    /// - Throws: ``SKTestError``.
    func perform<Answer: Sendable>(_ body: @escaping @Sendable (StoreService) async throws -> Answer) throws -> Answer {
        defer { AgentHost.callBack() }
        do {
            return try executor.run { [service] in try await body(service) }
        } catch {
            throw SKTestError(describing: error)
        }
    }

    private static func makeHome() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreKitTest-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = removesHomesAtExit
        homes.withLock { _ = $0.insert(folder) }
        return folder
    }

    private static func removeHome(_ folder: URL) {
        try? FileManager.default.removeItem(at: folder)
        homes.withLock { _ = $0.remove(folder) }
    }

    /// The folders of the sessions that have not ended.
    private static let homes = Mutex<Set<URL>>([])

    /// Removes these folders when the process exits before its sessions end.
    private static let removesHomesAtExit: Void = {
        atexit {
            for folder in SessionHost.homes.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
        }
    }()
}

extension SessionExecutor {
    /// Runs a task to its end, together with all other work that can run.
    ///
    /// - Throws: The error that the task throws, and ``SKTestError`` when the
    ///   task waits for time to pass or for another call.
    func run<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) throws -> Answer {
        let outcome = AwaitedAnswer<Answer>()
        Task(executorPreference: self) {
            do {
                let answer = try await body()
                outcome.result.withLock { $0 = .success(answer) }
            } catch {
                outcome.result.withLock { $0 = .failure(error) }
            }
        }
        settle()
        guard let result = outcome.result.withLock({ $0 }) else {
            throw SKTestError(.serviceUnavailable, message: "The session's store didn't answer.")
        }
        return try result.get()
    }

    private final class AwaitedAnswer<Answer: Sendable>: Sendable {
        let result = Mutex<Result<Answer, any Error>?>(nil)
    }
}
