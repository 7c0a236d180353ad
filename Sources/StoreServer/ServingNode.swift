// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import StoreDomain
package import StoreService

/// Records in the database that this process serves it, and logs how many
/// other processes do too.
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

    /// Whether this process takes work and the database can be written, as of at most `freshness` ago.
    func isReady() async -> Bool {
        guard !service.isSuperseded else { return false }
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

    /// Logs the number of other processes when it changes. One that was
    /// killed counts for less than a minute.
    private func note(others count: Int) {
        guard count != others else { return }
        others = count
        service.logger.info("other processes serve this database", metadata: ["processes": "\(count)"])
    }
}
