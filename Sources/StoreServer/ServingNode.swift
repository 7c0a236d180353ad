// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import StoreDomain
package import StoreService

/// Records in the database that this process serves it, and logs a warning
/// when another process does too.
package actor ServingNode: Service {
    private let service: StoreService
    private let identifier: String
    private var report: (at: WallTime, isReady: Bool)?
    /// Calls that wait for the result of the write that is under way.
    private var waiting: [CheckedContinuation<Bool, Never>] = []
    private var isWriting = false
    private var others = 0

    private static let round: Duration = .seconds(15)
    /// How long `/readyz` reuses a result, so that frequent requests cause
    /// few writes.
    private static let freshness: Duration = .seconds(1)

    package init(_ service: StoreService) {
        self.service = service
        identifier = service.newNodeIdentifier()
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.work() }
        try? await service.endNode(identifier)
    }

    private func work() async {
        repeat {
            await write()
        } while (try? await service.clock.sleep(service.clock.now() + Self.round)) != nil
    }

    /// Whether the database can be written, as of at most `freshness` ago.
    func isReady() async -> Bool {
        let now = service.clock.now()
        if let report, report.at <= now, now < report.at + Self.freshness { return report.isReady }
        return await write()
    }

    @discardableResult
    private func write() async -> Bool {
        guard !isWriting else { return await withCheckedContinuation { waiting.append($0) } }
        isWriting = true
        let isReady = await writeNow()
        isWriting = false
        for call in waiting { call.resume(returning: isReady) }
        waiting = []
        return isReady
    }

    private func writeNow() async -> Bool {
        let now = service.clock.now()
        do {
            let others = try await service.reportNode(identifier)
            note(others: others)
            report = (now, true)
        } catch {
            if report?.isReady ?? true {
                service.logger.error("the store isn't ready", metadata: ["error": "\(error)"])
            }
            report = (now, false)
        }
        return report?.isReady ?? false
    }

    /// Logs a warning when another process appears: event streams are woken
    /// by commits of their own process only.
    private func note(others count: Int) {
        defer { others = count }
        guard count > 0, others == 0 else { return }
        service.logger.warning(
            """
            another process serves this database, or was killed less than a minute ago: devices that are connected here learn of what it commits at the \
            next heartbeat of their stream, 20 seconds later at most, and never of its sheets
            """, metadata: ["processes": "\(count)"])
    }
}
