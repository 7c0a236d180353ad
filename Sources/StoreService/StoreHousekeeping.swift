// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Logging
import ServiceLifecycle
import StoreDomain

/// The periodic work of a store: ends sheets and requests to buy in time,
/// notifies parents of requests, handles events of the payment provider,
/// completes payments that a crash left unfinished, ends pending ones that have
/// expired, renews and extends subscriptions, shares purchases with families,
/// sets the prices that begin, counts sales, hands over consumables whose device is absent,
/// sends messages to customers and notifications to sellers' servers, renews the signing certificates, finds those
/// that other nodes have renewed, deletes old rows that the books don't need,
/// removes content that no row names, sends heartbeats to open streams, and
/// finds the events whose announcement was lost.
package struct StoreHousekeeping: Service {
    private let service: StoreService

    package init(_ service: StoreService) {
        self.service = service
    }

    /// A newer version's schema is noticed after this time.
    private static let schemaRound: Duration = .seconds(2)
    private static let sheetRound: Duration = .seconds(1)
    private static let approvalRound: Duration = .seconds(5)
    private static let eventRound: Duration = .seconds(1)
    private static let renewalRound: Duration = .seconds(1)
    private static let sharingRound: Duration = .seconds(1)
    private static let noticeRound: Duration = .seconds(1)
    private static let extensionRound: Duration = .seconds(1)
    private static let priceRound: Duration = .seconds(1)
    private static let salesRound: Duration = .seconds(5)
    private static let mailRound: Duration = .seconds(1)
    private static let notificationRound: Duration = .milliseconds(500)
    private static let paymentRound: Duration = .seconds(5)
    /// How long a process of a version without leases has to complete a
    /// payment before the payment is recovered.
    private static let grace: Duration = .seconds(30)
    /// Each stream sends a heartbeat after this time.
    private static let heartbeat: Duration = .seconds(20)
    /// A commit whose announcement was lost reaches the streams after this
    /// time.
    private static let catchUpRound: Duration = .seconds(5)
    private static let retentionRound: Duration = .seconds(60 * 60)
    private static let handOverRound: Duration = .seconds(10 * 60)
    private static let contentRound: Duration = .seconds(10 * 60)
    private static let rotationRound: Duration = .seconds(60 * 60)
    private static let authorityRound: Duration = .seconds(2)

    package func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }

    /// Works until the task is cancelled, in this task and its children.
    package func work() async {
        await withTaskGroup(of: Void.self) { group in
            // The service already takes payments, and an unreachable provider
            // may hold up those that are recovered first: their leases would
            // run out.
            group.addTask { await every(RenewingLeases.pause, renewLeases) }
            // Recovered payments become purchases, which new certificates may have to sign.
            await rotate()
            await begin()
            await service.handleProviderEvents()
            group.addTask { await every(Self.schemaRound, service.checkSchema) }
            group.addTask { await whileCurrent(Self.sheetRound, endSheets) }
            group.addTask { await whileCurrent(Self.approvalRound, service.endUnansweredRequests) }
            group.addTask { await whileCurrent(Self.eventRound, service.receiveProviderEvents) }
            group.addTask {
                await whileCurrent(Self.paymentRound) {
                    await service.handleProviderEvents()
                    await recover(begunUntil: service.now - Self.grace)
                }
            }
            group.addTask { await whileCurrent(Self.renewalRound, service.renewSubscriptions) }
            group.addTask { await whileCurrent(Self.sharingRound, service.sharePurchases) }
            group.addTask { await whileCurrent(Self.noticeRound, service.notifyParents) }
            group.addTask { await whileCurrent(Self.extensionRound, service.carryOutMassExtensions) }
            group.addTask { await whileCurrent(Self.priceRound, service.applyPriceChanges) }
            group.addTask { await whileCurrent(Self.salesRound, service.countSales) }
            if service.context.mail != nil { group.addTask { await whileCurrent(Self.mailRound, service.sendMail) } }
            if service.context.notifications != nil {
                group.addTask { await service.sendNotifications(every: Self.notificationRound) }
            }
            group.addTask { await sendHeartbeats() }
            group.addTask { await every(Self.catchUpRound, service.catchUp) }
            group.addTask {
                // A store that is started every day would otherwise never delete the rows of a day.
                await deleteOldRows()
                await whileCurrent(Self.retentionRound, deleteOldRows)
            }
            group.addTask { await whileCurrent(Self.handOverRound, handOver) }
            group.addTask {
                // A killed process has left bytes, and a wrong setting of a bucket is in the log from the start.
                await service.sweepContent()
                await whileCurrent(Self.contentRound, service.sweepContent)
            }
            group.addTask { await whileCurrent(Self.rotationRound, rotate) }
            // The changes of an authority in files are found without a round.
            guard service.authority.needsRefreshing else { return }
            group.addTask { await every(Self.authorityRound, service.refreshAuthority) }
        }
    }

    /// Takes up the payments of earlier processes. If this process may not be
    /// the only one, those are the payments whose leases have run out.
    private func begin() async {
        guard service.context.isOnlyNode else { return await recover(begunUntil: service.now - Self.grace) }
        do {
            try await ReleasingLeases(service.context)()
        } catch {
            _ = service.failure(of: error, at: "releasing leases")
        }
        await recover(begunUntil: WallTime(milliseconds: .max))
    }

    private func renewLeases() async {
        do {
            try await RenewingLeases(service.context)()
        } catch {
            _ = service.failure(of: error, at: "renewing leases")
        }
    }

    /// Sends heartbeats to one part of the streams after another, until the
    /// task is cancelled.
    func sendHeartbeats() async {
        await every(Self.heartbeat / EventHub.heartbeatParts) { service.hub.heartbeat() }
    }

    private func every(_ pause: Duration, _ body: () async -> Void) async {
        while (try? await service.clock.sleep(service.now + pause)) != nil { await body() }
    }

    /// Takes up work in rounds, until a newer version has changed the schema.
    private func whileCurrent(_ pause: Duration, _ body: () async -> Void) async {
        await every(pause) { if !service.isSuperseded { await body() } }
    }

    private func recover(begunUntil limit: WallTime) async {
        // A completed payment becomes a purchase of the current date: it waits
        // while no receipt can be signed for that date.
        let recovering = RecoveringPayments(
            service.context, requireDeliverable: { [service] in try service.requireDeliverable() })
        do {
            try await recovering(begunUntil: limit) { recovery in
                switch recovery {
                case .answered(let request):
                    service.logger.notice("took up a payment", metadata: ["request": "\(request.identifier)"])
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

    private func rotate() async {
        do {
            try await service.rotateIfDue()
        } catch {
            // Certificates that are due for renewal are valid for another month.
            service.logger.error("the signing certificates can't be renewed", metadata: ["error": "\(error)"])
        }
    }

    private func handOver() async {
        do {
            try await HandingOverConsumables(service.context)() { [service] report in
                switch report {
                case .success: break
                case .failure(let error): _ = service.failure(of: error, at: "handing over a consumable")
                }
            }
        } catch {
            _ = service.failure(of: error, at: "handing over consumables")
        }
    }

    private func deleteOldRows() async {
        await DeletingOldRows(service.context)() { [service] report in
            switch report {
            case .deleted(let count, let kind):
                service.logger.info("deleted old rows", metadata: ["kind": "\(kind)", "rows": "\(count)"])
            case .failed(let kind, let error):
                _ = service.failure(of: error, at: "deleting old \(kind)")
            }
        }
    }

    private func endSheets() async {
        do {
            _ = try await ExpiringSheets(service.context)()
        } catch {
            _ = service.failure(of: error, at: "ending sheets")
        }
    }
}
