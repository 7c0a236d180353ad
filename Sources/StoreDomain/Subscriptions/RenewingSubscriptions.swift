// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Carries out the steps of subscriptions that are due: charges, renewals,
/// retries, and ends. Each step is one transaction, or two with a charge
/// between them, and is dated when it was due, so that a store that was down
/// catches up.
///
/// The steps of an account are carried out one after another, in order of
/// their moments. A step that was carried out isn't due any more, so that any
/// number of processes can work at the same time. The leases only keep them
/// from doing the same work.
package struct RenewingSubscriptions: UseCase {
    package let context: StoreContext
    private let requireDeliverable: @Sendable () throws -> Void

    /// Makes the use case. `requireDeliverable` throws while no purchase can
    /// be delivered: the steps then wait.
    package init(_ context: StoreContext, requireDeliverable: @escaping @Sendable () throws -> Void = {}) {
        self.context = context
        self.requireDeliverable = requireDeliverable
    }

    /// A step that couldn't be completed; the next call tries it again.
    package struct Failure: Sendable {
        package var account: AccountIdentifier
        package var error: any Error
    }

    /// The accounts whose steps are carried out at the same time.
    private static let width = 8

    /// Carries out every step that is due. One account that fails doesn't
    /// stop the others.
    ///
    /// - Throws: `DatabaseError` when the due steps can't be read.
    package func callAsFunction(report: @escaping @Sendable (Failure) -> Void = { _ in }) async throws {
        var last: Subscription.Due?
        while true {
            let page = try await read(isUrgent: true) { [last] db in try Subscription.due(after: last, db) }
            guard let final = page.last else { return }
            last = final
            let taken = try await write(.key(context.leases.writeKey), isUrgent: true) { db in
                try Lease.take(.subscription, page.map(\.original.rawValue), db)
            }
            let mine = Set(taken)
            let accounts = Set(page.filter { mine.contains($0.original.rawValue) }.map(\.account))
            await withTaskGroup(of: Void.self) { group in
                for (number, account) in accounts.sorted().enumerated() {
                    if number >= Self.width { await group.next() }
                    group.addTask { await renew(account, report) }
                }
            }
        }
    }

    private func renew(_ account: AccountIdentifier, _ report: @Sendable (Failure) -> Void) async {
        do {
            while try await carryOutNextStep(of: account) {}
        } catch {
            report(Failure(account: account, error: error))
        }
    }

    /// Carries out the first of the account's steps that are due.
    ///
    /// - Returns: `false` when none is due, or the first one has to wait.
    package func carryOutNextStep(of account: AccountIdentifier) async throws -> Bool {
        try requireDeliverable()
        let attempt = Buying.Attempt(
            number: context.newPaymentIdentifier(), identifier: context.newTransactionIdentifier(for: account))
        faults("renew:before")
        let begun = try await write(for: account, isUrgent: true) { db in
            try Self.begin(attempt, of: account, db)
        }
        faults("renew:after")
        return try await complete(begun)
    }

    /// Carries out the part of a step that follows its first transaction.
    ///
    /// - Returns: `false` when there is none, or it has to wait.
    func complete(_ begun: Begun) async throws -> Bool {
        switch begun {
        case .nothing: return false
        case .carriedOut(let captured):
            guard let captured else { return true }
            let settled = Buying.Settled(payment: captured, decision: .commit)
            _ = try await leased(.payment(captured.number)) { await Buying(context).follow(settled) }
            return true
        case .charge(let payment):
            let settled = try await leased(.payment(payment.number), isComplete: { $0.delay == nil }) {
                try await Buying(context).complete(payment)
            }
            return settled.payment.status != .reserved
        }
    }
}
