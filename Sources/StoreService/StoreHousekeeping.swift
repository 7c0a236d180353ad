// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import StoreDomain

/// What the store does by itself: ends sheets in time, takes up payments that
/// a crash left on their way, renews its signing certificates, and shows open
/// streams that it lives.
package struct StoreHousekeeping: Service {
    private let service: StoreService

    package init(_ service: StoreService) {
        self.service = service
    }

    private static let sheetRound: Duration = .seconds(1)
    private static let paymentRound: Duration = .seconds(10)
    /// How long a live request has for its payment before it is taken up by number.
    private static let grace: Duration = .seconds(30)
    private static let heartbeat: Duration = .seconds(20)
    private static let throttleRound: Duration = .seconds(60 * 60)
    private static let rotationRound: Duration = .seconds(60 * 60)

    package func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }

    /// Does it until the task is cancelled, within this task and its children.
    package func work() async {
        // What is taken up becomes purchases, for which new certificates may have to sign.
        rotate()
        // What an earlier process left behind can't be anybody's live request.
        await recover(begunUntil: Instant(milliseconds: .max))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await every(Self.sheetRound, endSheets) }
            group.addTask {
                await every(Self.paymentRound) { await recover(begunUntil: service.now - Self.grace) }
            }
            group.addTask { await every(Self.heartbeat) { service.hub.heartbeat() } }
            group.addTask { await every(Self.throttleRound, pruneThrottle) }
            group.addTask { await every(Self.rotationRound, rotate) }
        }
    }

    private func every(_ pause: Duration, _ body: () async -> Void) async {
        while (try? await service.clock.sleep(service.now + pause)) != nil { await body() }
    }

    private func recover(begunUntil limit: Instant) async {
        // A payment that is completed becomes a purchase of today.
        let recovering = RecoveringPayments(
            service.context, requireDeliverable: { [service] in try service.requireDeliverable() })
        do {
            try await recovering(begunUntil: limit, now: service.now) { outcome in
                switch outcome {
                case .answered(let request):
                    service.logger.notice("took up a payment", metadata: ["request": "\(request.identifier)"])
                    service.announce(request, accountChanged: false)
                case .failed(let number, let error):
                    // Only an operator can set the clock.
                    let level: Logger.Level = (error as? DomainError)?.code == .clock ? .error : .warning
                    service.logger.log(
                        level: level, "a payment waits", metadata: ["payment": "\(number)", "error": "\(error)"])
                }
            }
        } catch {
            _ = service.failure(of: error, at: "recovering payments")
        }
    }

    private func rotate() {
        do {
            try service.rotateIfDue()
        } catch {
            // The old certificates sign for another month.
            service.logger.error("the signing certificates can't be renewed", metadata: ["error": "\(error)"])
        }
    }

    private func pruneThrottle() async {
        do {
            try await PruningThrottle(service.context)(now: service.now)
        } catch {
            _ = service.failure(of: error, at: "pruning the throttle")
        }
    }

    private func endSheets() async {
        do {
            let ending = ExpiringSheets(service.context)
            for request in try await ending(now: service.now) { service.announce(request, accountChanged: false) }
        } catch {
            _ = service.failure(of: error, at: "ending sheets")
        }
    }
}
