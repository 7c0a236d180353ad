// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI

extension StoreSynchronizer {
    /// The largest number of streams that are opened in a row without a
    /// pause. A store may end each stream so that the device opens a new one.
    private static let comebackLimit = 10

    /// Keeps one event stream open, and opens a new one after a growing pause
    /// when it breaks.
    func listen() async {
        var backoff = Backoff(random)
        var wasConnected = true
        var comebacks = 0
        // Kept in memory: a process that starts asks about all requests.
        var newsNumber: Int64?
        while !Task.isCancelled {
            do {
                let comesBackAtOnce = try await follow(newsAfter: &newsNumber) { backoff.reset() }
                wasConnected = true
                comebacks = comesBackAtOnce ? comebacks + 1 : 0
                if comesBackAtOnce, comebacks <= Self.comebackLimit { continue }
                comebacks = 0
            } catch is CancellationError {
                return
            } catch let error as AgentError where error.code == .journalVersion {
                // The next round ends the synchronizer with this error.
                return signals.wake()
            } catch {
                // Logged as a warning once: the stream of a store that is
                // down fails about every half minute.
                let level: Logger.Level = wasConnected ? .warning : .debug
                logger.log(level: level, "There is no event stream from the store: \(error)")
                wasConnected = false
                backoff.heed(error)
            }
            do {
                try await clock.sleep(for: backoff.next())
            } catch {
                return
            }
        }
    }

    /// Opens one stream and applies its events until it ends.
    ///
    /// `newsNumber` is the number of the last news of the device that were
    /// received. It is set to that of each news.
    ///
    /// - Returns: whether the store ended it so that a new one is opened.
    private func follow(newsAfter newsNumber: inout Int64?, received: () -> Void) async throws -> Bool {
        if try await journal.state().environment == nil {
            try await journal.learn(environment: try await store.register())
        }
        if !receipts.isOnDisk { try await journal.lostReceipt() }
        try await forgetFinished()
        let (question, position) = try await journal.ask(opensStream: true)
        let events: AsyncThrowingStream<StoreEvent, any Error>
        do {
            events = try await store.events(of: folder.bundleIdentifier, after: position, newsAfter: newsNumber)
        } catch let failure as StoreFailure where failure.code == .unknownDevice {
            try await journal.learn(environment: try await store.register())
            events = try await store.events(of: folder.bundleIdentifier, after: position)
        }
        // The store may not number the notifications, or may have deleted old
        // ones.
        signals.post { $0.asksAll = true }
        var pages = SnapshotPages()
        for try await event in events {
            received()
            switch event.content {
            case let event as RequestEvent:
                signals.post { $0.requests.insert(event.requestIdentifier) }
                newsNumber = event.number ?? newsNumber
            case let event as AccountChangedEvent:
                newsNumber = event.number ?? newsNumber
                signals.post { $0.asksAll = true }
                return true
            case let event as SnapshotEvent:
                guard let whole = try pages.join(event.snapshot) else { continue }
                try await write(SnapshotEvent(snapshot: whole), question: question)
            case let event as ChildRequestEvent:
                try await show(event)
                try await write(event, question: question)
            case let event as any JournalledEvent:
                try await write(event, question: question)
            default:
                // A kind that this version doesn't know.
                continue
            }
        }
        try Task.checkCancellation()
        return false
    }

    /// Fetches a snapshot when the journal has confirmed finishes to delete:
    /// a stream that continues at a position brings no snapshot.
    private func forgetFinished() async throws {
        guard try await journal.remembersFinished() else { return }
        let (question, position) = try await journal.ask()
        var pages = SnapshotPages()
        var after: EventPosition?
        var until: EventPosition?
        while true {
            let page = try await store.call(
                QueueCall(
                    bundleIdentifier: folder.bundleIdentifier, position: position, takesPages: true, after: after,
                    until: until))
            if let whole = try pages.join(page) {
                return try await write(SnapshotEvent(snapshot: whole), question: question)
            }
            after = page.next
            until = until ?? page.position
        }
    }

    private func write(_ event: any JournalledEvent, question: Int64) async throws {
        let (transactions, position) = event.arrivals
        try transactions.forEach { try $0.check(at: position) }
        let arrives = !transactions.isEmpty
        if arrives { faults.before(.arrived) }
        try await journal.apply(event, question: question, now: clock.now, starting: offers(of: transactions))
        if arrives { faults.after(.arrived) }
        changed()
    }
}
