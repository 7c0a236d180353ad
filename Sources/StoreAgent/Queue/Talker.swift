// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import StoreAPI

/// The one process of an app that talks to the store: it sends what the
/// journal says must be sent, and writes down what comes.
struct Talker: Sendable {
    /// Something that runs once at a time.
    enum Work: Hashable, Sendable {
        case payment(String)
        case finish(String)
        case errand(String)
        case receipts
        case keyValues
    }

    /// A sheet, and for whom it is shown.
    struct Sheet: Hashable, Sendable {
        enum Owner: Hashable, Sendable {
            case entry(String)
            case errand(String)
        }

        var address: String
        var owner: Owner
    }

    let system: any AgentSystem
    let folder: AgentFolder
    let configuration: AgentConfiguration
    let journal: Journal
    let store: StoreClient
    let receipts: ReceiptKeeper
    let restrictions: DeviceRestrictions
    let presenter: any SheetPresenter
    let inbox: Inbox
    let clock: AgentClock
    let random: AgentRandom
    let faults: FaultPoints
    let logger: Logger
    /// The number of the last entry before this process began.
    let since: Int64
    /// Whether a process can still use what it has asked for.
    let isAlive: @Sendable (String) -> Bool
    /// Called after the journal has changed.
    let changed: @Sendable () -> Void

    /// Waits for its turn and then talks until it is cancelled.
    ///
    /// - Throws: `CancellationError`.
    func run() async throws {
        let lock = try await acquireLock()
        defer { lock.release() }
        // Who talked before may have died between a change and its telling.
        changed()
        let bell = inbox.open()
        await withDiscardingTaskGroup { group in
            group.addTask { await listen() }
            var running: Set<Work> = []
            var asked: Set<String> = []
            for await _ in bell {
                let letters = inbox.take()
                running.subtract(letters.done)
                asked.formUnion(letters.requests)
                do {
                    var workload = try await journal.workload()
                    workload.errands.removeAll { !$0.isOpen || !isAlive($0.process) }
                    if letters.asksAll { asked.formUnion(workload.open) }
                    let todo = workload.work(asked: asked).filter { !running.contains($0) }
                    for sheet in letters.sheets where inbox.mayShow(sheet) {
                        group.addTask { await present(sheet) }
                    }
                    for work in todo {
                        if case .payment(let name) = work { asked.remove(name) }
                        if case .errand(let name) = work { asked.remove(name) }
                        running.insert(work)
                        group.addTask {
                            await perform(work)
                            inbox.post { $0.done.append(work) }
                        }
                    }
                    // Nobody waits for the news of what is gone.
                    asked.formIntersection(workload.open)
                } catch {
                    logger.error("The journal can't be read: \(error). Trying again.")
                    group.addTask {
                        try? await clock.sleep(for: .seconds(1))
                        inbox.post { kept in
                            kept.asksAll = kept.asksAll || letters.asksAll
                            kept.sheets += letters.sheets
                        }
                    }
                }
            }
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// The lock, as soon as it can be had: the disk may have no room for its
    /// file now.
    private func acquireLock() async throws -> any HeldLock {
        var backoff = Backoff(random)
        var hasFailed = false
        while true {
            do {
                return try await system.acquireLock(folder.talkerLock)
            } catch let error as AgentError {
                if !hasFailed { logger.error("Purchases wait, nobody can talk to the store: \(error) Trying again.") }
                hasFailed = true
                try await clock.sleep(for: backoff.next())
            }
        }
    }

    private func perform(_ work: Work) async {
        do {
            switch work {
            case .payment(let entry): try await pay(entry)
            case .finish(let entry): try await confirm(entry)
            case .errand(let errand): try await run(errand)
            case .receipts: try await fetchReceipts()
            case .keyValues: try await synchronizeKeyValues()
            }
        } catch is CancellationError {
            // Whoever talks next goes on from the journal.
        } catch {
            logger.error("The journal can't be written: \(error). Trying again.")
            try? await clock.sleep(for: .seconds(1))
            // A hint has begun it perhaps, and comes once only.
            switch work {
            case .payment(let name), .errand(let name): inbox.post { $0.requests.insert(name) }
            case .finish, .receipts, .keyValues: break
            }
        }
    }
}

extension Journal.Workload {
    /// The requests that have no answer yet.
    var open: Set<String> {
        Set(entries.filter(\.isOpen).map(\.identifier) + errands.filter(\.isOpen).map(\.identifier))
    }

    /// What has to be done, when there is news about some requests; what is
    /// older comes first.
    func work(asked: Set<String>) -> [Talker.Work] {
        var work: [Talker.Work] = needsReceipts ? [.receipts] : []
        if needsKeyValues { work.append(.keyValues) }
        for entry in entries {
            switch entry.phase {
            case .added, .sending: work.append(.payment(entry.identifier))
            case .waiting, .deferred: if asked.contains(entry.identifier) { work.append(.payment(entry.identifier)) }
            case .finished: work.append(.finish(entry.identifier))
            case .arrived, .ready, .away, .returning, .failed, .confirmed: break
            }
        }
        for errand in errands where errand.isOpen {
            if errand.phase != .waiting || asked.contains(errand.identifier) {
                work.append(.errand(errand.identifier))
            }
        }
        return work
    }
}
