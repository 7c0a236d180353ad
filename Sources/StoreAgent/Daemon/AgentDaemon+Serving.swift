// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreDatabase

extension AgentDaemon {
    /// An app of the daemon.
    struct Served {
        let sheets = DaemonSheets()
        var agent: DaemonAgent?
        /// Why the daemon doesn't synchronize the app.
        var failure: String?
        /// Why the daemon has refused the app's process that asked last.
        var refusal: String?
    }

    /// Answers an app that asks to be synchronized.
    ///
    /// The registration is durable before the answer, after which the app may
    /// end. After a refusal that ends the service of the app, its processes wait
    /// for the lock.
    ///
    /// - Returns: an agent that has to be run.
    func answer(_ greeting: DaemonLine, _ channel: DaemonChannel, _ apps: inout [String: Served]) async -> DaemonAgent?
    {
        guard let bundle = try? AgentEnvironment.checkedIdentifier(greeting.bundle ?? "") else {
            channel.close()
            return nil
        }
        var served = apps[bundle] ?? Served()
        defer { apps[bundle] = served }
        do {
            let app = try check(greeting, bundle)
            try checkRoom(for: bundle, beside: apps)
            faults.before(.register)
            try DaemonRegistration(version: .current, app: app).save(folder, files)
            faults.after(.register)
            let started = try await start(app, &served)
            (served.failure, served.refusal) = (nil, nil)
            let isLaunch = served.sheets.count == 0
            served.sheets.enter(channel)
            // As the launch of an app without a daemon does.
            if isLaunch { served.agent?.showSheetsAgain() }
            faults.before(.accept)
            channel.send(DaemonLine(isAccepted: true))
            faults.after(.accept)
            return started
        } catch {
            let refusal = DaemonRefusal(error)
            // A refused app asks each minute.
            if served.refusal != refusal.message { logger.warning("\(bundle) is refused: \(refusal.message)") }
            served.refusal = refusal.message
            let hasOtherJournal = greeting.version?.journal != DaemonVersion.current.journal
            if refusal.endsService(isSynchronized: served.agent != nil, hasOtherJournal: hasOtherJournal) {
                await served.agent?.stop()
                served.agent = nil
                served.sheets.closeAll()
                if hasOtherJournal { files.remove(folder.registration(of: bundle)) }
            }
            if served.agent == nil { served.failure = refusal.message }
            channel.send(DaemonLine(refusal: refusal))
            return nil
        }
    }

    private func check(_ greeting: DaemonLine, _ bundle: String) throws -> DaemonApp {
        guard let version = greeting.version, version.isCompatible(with: .current) else {
            throw DaemonRefusal(
                code: .version,
                message: """
                    This app has StoreKit \(greeting.version?.release ?? "of an unknown version"), and storeagentd \
                    \(DaemonVersion.current.release) is another version, so that the app synchronizes its purchases \
                    without it. Install the storeagentd of the app's version.
                    """)
        }
        guard let app = greeting.app, app.bundleIdentifier == bundle else {
            throw DaemonRefusal(code: .configuration, message: "The app's first message doesn't describe the app.")
        }
        return app
    }

    /// Makes the agent of an app, unless it runs already. An agent with other
    /// settings ends first.
    private func start(_ app: DaemonApp, _ served: inout Served) async throws -> DaemonAgent? {
        if served.agent?.app == app { return nil }
        await served.agent?.stop()
        served.agent = nil
        let agent = try makeAgent(app, served.sheets)
        served.agent = agent
        return agent
    }

    /// Opens an app that asked for the daemon in an earlier life.
    func open(_ saved: DaemonRegistration, beside apps: [String: Served]) -> Served {
        var served = Served()
        guard saved.version.isCompatible(with: .current) else {
            served.failure = "It has StoreKit \(saved.version.release), another version than this storeagentd."
            return served
        }
        do {
            try checkRoom(for: saved.app.bundleIdentifier, beside: apps)
            served.agent = try makeAgent(saved.app, served.sheets)
        } catch {
            served.failure = DaemonRefusal(error).message
            logger.error("\(saved.app.bundleIdentifier) isn't synchronized until it starts again: \(error)")
        }
        return served
    }

    private func makeAgent(_ app: DaemonApp, _ sheets: DaemonSheets) throws -> DaemonAgent {
        let configuration = try app.configuration(home: folder.home)
        let agent = try Agent(
            configuration, connection: try streams.connection(of: configuration),
            presenter: DaemonPresenter(sheets: sheets, own: configuration.sheet.presenter), clock: clock,
            random: random, faults: handler, system: PosixSystem(.daemon), logger: logger)
        return DaemonAgent(app, agent)
    }

    /// The daemon's state.
    func status(_ apps: [String: Served]) -> DaemonStatus {
        let list = apps.sorted { $0.key < $1.key }.map { bundle, served in
            DaemonStatus.App(bundleIdentifier: bundle, processes: served.sheets.count, failure: served.failure)
        }
        return DaemonStatus(version: .current, process: getpid(), apps: list)
    }
}

extension DaemonRefusal {
    init(_ error: any Error) {
        switch error {
        case let refusal as DaemonRefusal: self = refusal
        case let error as AgentError:
            let codes: [AgentError.Code: Code] = [.configuration: .configuration, .journalVersion: .version]
            self.init(code: codes[error.code] ?? .home, message: error.message)
        case let error as DatabaseError:
            self.init(code: error.code == .newerSchema ? .version : .home, message: error.message)
        default: self.init(code: .home, message: "\(error)")
        }
    }
}
