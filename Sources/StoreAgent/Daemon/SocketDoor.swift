// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Connects to the daemon's socket in a device's home.
struct SocketDoor: DaemonDoor {
    let folder: DaemonFolder
    let clock: AgentClock

    /// A daemon that doesn't answer within this time is left alone. It opens
    /// a journal before it answers.
    static let patience = Duration.seconds(10)

    func ask(_ app: DaemonApp) async -> DaemonAnswer {
        let greeting = DaemonLine(version: .current, bundle: app.bundleIdentifier, app: app)
        return await ask(greeting) { answer, channel in
            if let refusal = answer.refusal { return .refused(refusal) }
            guard answer.isAccepted == true else { return .refused(unreadable) }
            return .accepted(SocketLink(channel))
        }
    }

    /// Asks the daemon for its state; `nil` when no daemon runs.
    ///
    /// - Throws: ``DaemonRefusal``.
    func status() async throws -> DaemonStatus? {
        try await status(DaemonLine(version: .current, asksForStatus: true))
    }

    /// Lets the daemon forget an app; `nil` when no daemon runs.
    ///
    /// - Throws: ``DaemonRefusal``.
    func forget(_ bundle: String) async throws -> DaemonStatus? {
        try await status(DaemonLine(version: .current, bundle: bundle, forgets: true))
    }

    private func status(_ question: DaemonLine) async throws -> DaemonStatus? {
        let answer = Mutex<DaemonStatus?>(nil)
        let result = await ask(question) { line, channel in
            channel.close()
            answer.withLock { $0 = line.status }
            return line.refusal.map { .refused($0) } ?? (line.status == nil ? .refused(unreadable) : .absent)
        }
        if case .refused(let refusal) = result { throw refusal }
        return answer.withLock { $0 }
    }

    private func ask(
        _ greeting: DaemonLine, read: (DaemonLine, DaemonChannel) -> DaemonAnswer
    ) async -> DaemonAnswer {
        let descriptor = UnixSocket.connect(to: folder.socket)
        guard descriptor >= 0 else {
            // ENOENT: there is none. ECONNREFUSED: it has died.
            guard descriptor == -EACCES || descriptor == -EPERM else { return .absent }
            return .refused(foreign)
        }
        let channel = DaemonChannel(descriptor)
        guard channel.isOfThisUser else {
            channel.close()
            return .refused(foreign)
        }
        // A connection that has ended has no answer, or the reason for its end.
        channel.send(greeting)
        guard let answer = await Self.first(of: channel, within: Self.patience, clock) else {
            let state = channel.state
            channel.close()
            if Task.isCancelled { return .absent }
            switch state {
            // It has died, or was stopped, after the connection was made.
            case .ended: return .absent
            case .garbled: return .refused(unreadable)
            case .open: return .refused(slow)
            }
        }
        return read(answer, channel)
    }

    /// The first line of the other end; `nil` without one in time.
    static func first(of channel: DaemonChannel, within time: Duration, _ clock: AgentClock) async -> DaemonLine? {
        await withTaskGroup(of: DaemonLine?.self) { group in
            group.addTask { await channel.next() }
            group.addTask {
                try? await clock.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private var foreign: DaemonRefusal {
        DaemonRefusal(
            code: .user,
            message: """
                \(folder.socket.path) is another user's socket, so that this app synchronizes its purchases without \
                the daemon. Remove it, or set STOREKIT_HOME to a folder of this user.
                """)
    }

    private var slow: DaemonRefusal {
        DaemonRefusal(
            code: .answer,
            message: """
                The daemon at \(folder.socket.path) hasn't answered within 10 seconds, so that this app synchronizes its \
                purchases without it, and asks again in a minute. Start storeagentd again if it doesn't answer then.
                """)
    }

    private var unreadable: DaemonRefusal {
        DaemonRefusal(
            code: .answer,
            message: """
                The daemon at \(folder.socket.path) doesn't answer as storeagentd does, so that this app synchronizes \
                its purchases without it. Start storeagentd again.
                """)
    }
}

/// The connection of an app's process to the daemon.
struct SocketLink: DaemonLink {
    private let channel: DaemonChannel

    init(_ channel: DaemonChannel) {
        self.channel = channel
    }

    func close() { channel.close() }

    func follow(_ present: @escaping @Sendable (String) async throws -> Void) async {
        await withDiscardingTaskGroup { group in
            while let line = await channel.next() {
                guard let sheet = line.sheet else { continue }
                group.addTask {
                    var shown = DaemonLine.Shown(number: sheet.number)
                    do {
                        try await present(sheet.address)
                    } catch is CancellationError {
                        return
                    } catch {
                        shown.failure = "\(error)"
                        shown.mayBeSeen = (error as? AgentError)?.code != .sheet
                    }
                    channel.send(DaemonLine(shown: shown))
                }
            }
            group.cancelAll()
        }
        channel.close()
    }
}
