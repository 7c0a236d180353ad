// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Gives the members of a family the purchases that the others share, and
/// takes them away when the sharing ends.
///
/// Each transaction changes one account, decides on the state of now, and can
/// be repeated: a process that ends between two of them, or another node that
/// does the same, changes nothing twice. The leases only keep processes from
/// doing the same work. ``SharingWork`` explains why a change that commits at
/// the same time is carried out later.
package struct SharingPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// An account whose changes couldn't be carried out.
    package struct Failure: Sendable {
        package var account: AccountIdentifier
        package var error: any Error
    }

    /// The largest number of purchases that one transaction shares.
    private static let most = 20

    /// Carries out all changes that are recorded now. One that fails doesn't
    /// stop the others, and is tried again in the next round.
    package func callAsFunction(report: (Failure) -> Void = { _ in }) async throws {
        for change in try await read({ db in try SharingChange.due(db) }) { try await record(change) }
        var last: AccountIdentifier = ""
        while true {
            let due = try await read { [last] db in try SharingWork.due(after: last, db) }
            guard let final = due.last else { return }
            for work in due {
                do {
                    try await carryOutUnderLease(work)
                } catch {
                    report(Failure(account: work.account, error: error))
                }
            }
            last = final.account
        }
    }

    /// Carries out the changes of some accounts that are recorded now, also
    /// when another process is at it.
    package func callAsFunction(of accounts: [AccountIdentifier]) async throws {
        for account in accounts {
            let work = try await read { db in try SharingWork.due(of: account, db) }
            if let work { try await carryOut(work) }
        }
    }

    /// Records the members of families whose purchases the change of a product
    /// concerns, each in a transaction of its own.
    private func record(_ change: SharingChange) async throws {
        var last: AccountIdentifier = ""
        while true {
            let (members, concerned) = try await read { [last] db in
                let members = try SharingChange.members(after: last, db)
                return (members, try members.filter { try change.concerns($0, db) })
            }
            guard let final = members.last else { break }
            for account in concerned {
                try await write(for: account) { db in try SharingWork.note(account, db) }
                faults("share:recorded")
            }
            last = final
        }
        try await write(.catalogue(of: change.bundleIdentifier)) { db in try change.finish(db) }
    }

    private func carryOutUnderLease(_ work: SharingWork) async throws {
        let taken = try await write(.key(context.leases.writeKey)) { db in
            try Lease.take(.sharing, [work.account.rawValue], db)
        }
        guard !taken.isEmpty else { return }
        try await leased(.sharing(work.account)) { try await carryOut(work) }
    }

    private func carryOut(_ work: SharingWork) async throws {
        let account = work.account
        let partners = try await read { db in
            let members = try Family.of(account, db)?.members.map(\.account) ?? []
            return Set(members + (try Purchase.partners(of: account, db))).subtracting([account]).sorted()
        }
        for partner in partners {
            try await share(account, with: partner)
            try await share(partner, with: account)
        }
        faults("share:finish")
        try await write(for: account) { db in try work.finish(db) }
    }

    /// Brings the purchases that one account has from another into agreement.
    private func share(_ owner: AccountIdentifier, with member: AccountIdentifier) async throws {
        var hasMore = true
        while hasMore {
            let serials = (0..<Self.most).map { _ in context.newTransactionIdentifier(for: member) }
            faults("share:before")
            hasMore = try await write(for: member) { db in
                // The account first: so that it doesn't leave the family
                // between the decision and the commit, and as every other
                // transaction locks both.
                _ = try Account.hold(member, db)
                try SharingWork.hold(owner, db)
                return try Self.share(owner, with: member, as: serials, db)
            }
            faults("share:after")
        }
    }

    /// Saves the changes, of which at most as many begin as there are
    /// identifiers.
    ///
    /// - Returns: Whether more are left.
    private static func share(
        _ owner: AccountIdentifier, with member: AccountIdentifier, as identifiers: [TransactionIdentifier],
        _ db: StoreTransaction
    ) throws -> Bool {
        let family = try Account.findOpen(member, db).flatMap { _ in try Family.of(owner, db) }
        let areFamily = family?.member(member) != nil
        let now = try AccountClock.of(member, db).time(at: db.now)
        if !areFamily { try Purchase.forgetWithdrawals(of: member, from: owner, db) }
        var held = try held(by: member, from: owner, db)
        let beginning = SharingDecision.beginning(of: held, at: now)
        let offered = areFamily ? try Purchase.offered(by: owner, after: beginning, db) : []
        let decision = SharingDecision(offered: offered, held: held, areFamily: areFamily, at: now)
        for purchase in decision.ended { try revoke(purchase, db) }
        for purchase in decision.changed { try change(purchase, db) }
        for (source, identifier) in zip(decision.begun, identifiers) {
            let earlier = held.first {
                source.term != nil
                    && $0.source?.originalTransactionIdentifier == source.originalTransactionIdentifier
            }
            let share = Purchase(
                sharing: source, with: member, as: identifier, first: earlier?.purchase, at: now)
            let last = held.last { $0.source?.originalTransactionIdentifier == source.originalTransactionIdentifier }
            try deliver(share, from: source, after: last?.purchase, db)
            held.append(SharingDecision.Share(purchase: share, source: source))
        }
        return decision.begun.count > identifiers.count
    }

    /// The purchases that an account has or had from another one, with those
    /// that they are from, oldest first.
    private static func held(
        by member: AccountIdentifier, from owner: AccountIdentifier, _ db: StoreTransaction
    ) throws -> [SharingDecision.Share] {
        let shares = try Purchase.shared(by: owner, with: member, db)
        guard !shares.isEmpty else { return [] }
        let withdrawn = try Purchase.withdrawn(from: member, by: owner, db)
        let sources = Dictionary(
            try Purchase.sources(by: owner, with: member, db).map { ($0.transactionIdentifier, $0) },
            uniquingKeysWith: { $1 })
        return shares.map { purchase in
            SharingDecision.Share(
                purchase: purchase, source: purchase.share.flatMap { sources[$0.transaction] },
                isWithdrawn: withdrawn.contains(purchase.transactionIdentifier))
        }
    }

    /// Saves a shared purchase, and adds it to the queues of the account's
    /// devices that use the app.
    private static func deliver(
        _ share: Purchase, from source: Purchase, after last: Purchase?, _ db: StoreTransaction
    ) throws {
        let event = try AccountEvent.append(
            .transaction, account: share.account, bundleIdentifier: share.bundleIdentifier,
            transactionIdentifier: share.transactionIdentifier, db)
        try share.insert(db)
        if share.isOriginal { try AppTransaction.record(share.bundleIdentifier, of: share.account, db) }
        let kind = try NotificationKind.beginning(
            of: share, after: last, as: share.isOriginal ? nil : beginning(of: source, db))
        try NotificationCause(kind, of: share, at: event.time).insert(db)
        for device in try DeviceApp.users(of: share.bundleIdentifier, account: share.account, db) {
            try UnfinishedTransaction.insert(
                share, for: device, requestIdentifier: nil, eventNumber: event.number, db)
        }
    }

    /// How a period of the sharing account has begun.
    private static func beginning(of source: Purchase, _ db: StoreTransaction) throws -> SubscriptionEvent.Kind? {
        try Subscription.find(source.originalTransactionIdentifier, of: source.account, db)?.history(db)
            .last { $0.period?.transaction == source.transactionIdentifier }?.kind
    }

    static func revoke(_ share: Purchase, _ db: StoreTransaction) throws {
        let event = try AccountEvent.append(
            .revoked, account: share.account, bundleIdentifier: share.bundleIdentifier,
            transactionIdentifier: share.transactionIdentifier, db)
        var share = share
        share.revoked = event.time
        let wasUnfinished = try UnfinishedTransaction.removeEverywhere(share, db)
        try share.saveRevocation(wasUnfinished: wasUnfinished, db)
        try NotificationCause(.revocation, of: share, at: event.time).insert(db)
    }

    private static func change(_ share: Purchase, _ db: StoreTransaction) throws {
        _ = try AccountEvent.append(
            .receipt, account: share.account, bundleIdentifier: share.bundleIdentifier,
            transactionIdentifier: share.transactionIdentifier, db)
        try share.saveTerm(db)
    }
}
