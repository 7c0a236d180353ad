// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sends the signed notifications that are due.
///
/// Of a chain, which is an original transaction, one notification at a time is
/// on its way to an address, also when several processes send. An attempt that
/// fails delays neither later notifications of the chain nor others. A process
/// that dies after an address has received a notification and before that is
/// saved sends it again: at least once, with the same bytes.
package struct SendingNotifications: UseCase {
    package let context: StoreContext
    /// The shared secret of an app, which bodies of version 1 have. When it
    /// throws ``DomainError``, the attempt fails, and the next one is made at
    /// the usual time.
    let secret: @Sendable (BundleIdentifier) async throws -> String?

    package init(
        _ context: StoreContext,
        secret: @escaping @Sendable (BundleIdentifier) async throws -> String? = { _ in nil }
    ) {
        self.context = context
        self.secret = secret
    }

    /// An address to which something is due, and the teams whose apps have it: an empty name for an address of all apps, and an
    /// app for one without a team.
    package struct DueAddress: Hashable, Sendable {
        package var url: String
        package var teams: [String]
    }

    /// The most due addresses that a round reads: of all teams, and of each. A team's share of the second is more than it may
    /// be busy with, so that one that is free is always among them.
    package static let mostAddresses = 5000
    static let mostAddressesOfATeam = 4 * busyAddressesOfATeam
    /// The most addresses to which a process sends at a time: of all teams, and of each. An address has ``connections``.
    package static let busyAddresses = 64
    package static let busyAddressesOfATeam = 4
    /// The most deliveries to an address that are read at a time.
    private static let batch = 100
    /// The most connections to an address at a time.
    private static let connections = 8

    /// The sender of a call, its end, and its reports.
    private struct Round: Sendable {
        var sender: any NotificationSender
        var team: String
        var isOver: @Sendable () -> Bool
        var report: @Sendable (any Error) -> Void
    }

    /// The addresses to which something of an app is due, or of all apps when
    /// the identifier is empty: those that wait the longest first, at most
    /// ``mostAddresses``.
    ///
    /// - Throws: `DatabaseError`.
    package func addresses(of app: BundleIdentifier = "") async throws -> [DueAddress] {
        try await read { db in try NotificationDelivery.dueAddresses(of: app, limit: Self.mostAddresses, db) }
    }

    /// Sends everything that is due to an address, in order within a chain,
    /// until `isOver`. An error of the database is reported, and the
    /// delivery is made in a later round. `team` is the first of the address.
    package func callAsFunction(
        to url: String, of team: String = "", until isOver: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) async {
        guard let sender = context.notifications else { return }
        let round = Round(sender: sender, team: team, isOver: isOver, report: report)
        do {
            var sent = 0
            repeat {
                try Task.checkCancellation()
                let due = try await read { db in try NotificationDelivery.due(to: url, limit: Self.batch, db) }
                sent = await send(Self.chains(of: due), in: round)
            } while sent > 0 && !isOver()
        } catch {
            if !(error is CancellationError) { report(error) }
        }
    }

    /// The deliveries of each chain, in their order.
    private static func chains(of due: [NotificationDelivery]) -> [[NotificationDelivery]] {
        var chains: [[NotificationDelivery]] = []
        var places: [String: Int] = [:]
        for delivery in due {
            let place = places[delivery.chain] ?? chains.count
            if place == chains.count { chains.append([]) }
            places[delivery.chain] = place
            chains[place].append(delivery)
        }
        return chains
    }

    /// Sends deliveries, those of some chains at the same time.
    ///
    /// - Returns: How many were sent.
    private func send(_ chains: [[NotificationDelivery]], in round: Round) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            var waiting = chains.makeIterator()
            var sent = 0
            for _ in 0..<Self.connections {
                guard let chain = waiting.next() else { break }
                group.addTask { await send(chain, in: round) }
            }
            while let count = await group.next() {
                sent += count
                guard let chain = waiting.next() else { continue }
                group.addTask { await send(chain, in: round) }
            }
            return sent
        }
    }

    /// Sends the deliveries of a chain, one after another, until another process
    /// is at one of them.
    ///
    /// - Returns: How many were sent.
    private func send(_ chain: [NotificationDelivery], in round: Round) async -> Int {
        var sent = 0
        for delivery in chain where !Task.isCancelled && !round.isOver() {
            do {
                // Another process is at the chain. A later delivery isn't sent before it ends its own.
                guard try await send(delivery, in: round) else { return sent }
                sent += 1
            } catch {
                if !(error is CancellationError) { round.report(error) }
                return sent
            }
        }
        return sent
    }

    /// Makes an attempt, and another one immediately for each further copy.
    ///
    /// - Returns: `false` when another process is at it or has done it.
    private func send(_ delivery: NotificationDelivery, in round: Round) async throws -> Bool {
        let key = WriteScope.key("\(delivery.chain) \(delivery.url)")
        var next = delivery
        var isMade = false
        repeat {
            let delivery = next
            let password = try await password(of: delivery, in: round)
            guard let message = try await write(key, { db in try delivery.begin(db) }) else { return isMade }
            faults("notification:sending")
            let response = try await response(to: message, password, delivery, in: round, key)
            faults("notification:sent")
            next = try await write(key, isUrgent: true) { db in
                let repeats =
                    try db.environment == .production || Account.retriesNotifications(delivery.account, db)
                let next = delivery.after(.init(at: db.now, response), repeats: repeats)
                try delivery.save(next, db)
                return next
            }
            context.meters.count(response.result)
            isMade = true
        } while next.state == .due && next.attempts.last?.result == .success
        return isMade
    }

    /// The secret in the body of an attempt.
    private enum Password: Sendable {
        case known(String?)
        /// The node can't read it.
        case unreadable
    }

    /// Reads the secret of a delivery of version 1, before the attempt begins:
    /// an error of the database then leaves no lease behind.
    private func password(of delivery: NotificationDelivery, in round: Round) async throws -> Password {
        guard delivery.version == .one else { return .known(nil) }
        do {
            return .known(try await secret(delivery.app))
        } catch let error as DomainError {
            round.report(error)
            return .unreadable
        }
    }

    /// Sends a notification, or gives the answer of a test's failure. Without
    /// its secret nothing is sent.
    private func response(
        to message: NotificationDelivery.Message, _ password: Password, _ delivery: NotificationDelivery,
        in round: Round, _ key: WriteScope
    ) async throws -> NotificationResponse {
        if delivery.failures > 0 { return NotificationResponse(status: 500) }
        guard case .known(let secret) = password else { return NotificationResponse(.other) }
        do {
            return try await round.sender.send(
                message.body(secret: secret), to: delivery.url, within: delivery.reach, for: round.team)
        } catch {
            // The process ends: it leaves no lease behind, if it still can.
            try? await write(key, isUrgent: true) { db in try delivery.endTurn(db) }
            throw error
        }
    }
}
