// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Completes or declines payments that wait for a decision: requests to buy
/// (Ask to Buy) and interrupted purchases.
///
/// Each is identified by the transaction identifier of its future purchase.
/// An operator decides about every one of them, and a parent about those of the
/// family's other members.
package struct ResolvingPendingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Approves a request to buy: it is charged and delivered as any purchase
    /// is. Approving it again changes nothing.
    ///
    /// `also` begins the transaction that decides.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that has
    ///   failed, `declined` when the provider declined the payment (the
    ///   request keeps waiting), `underWay`. As in ``Buying``, a payment that
    ///   can't be completed now is no error.
    package func approve(
        _ transaction: TransactionIdentifier, also: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws -> Buying.Progress {
        try await resume(transaction, from: .deferred, also: also)
    }

    /// Approves a request to buy for a parent, who pays for it. Approving it
    /// again changes nothing, also for another parent.
    ///
    /// Nothing is bought or chosen on other terms than those that the parent was
    /// `shown`, if they are given.
    ///
    /// - Throws: ``DomainError`` as ``approve(_:)`` does; `notFound` also for
    ///   an account that isn't a parent of the asking one's family,
    ///   `priceChanged` when other terms were shown: the request keeps
    ///   waiting.
    package func approve(
        _ transaction: TransactionIdentifier, by parent: AccountIdentifier, shown: AgreedTerms?
    ) async throws -> Buying.Progress {
        try await resume(transaction, from: .deferred, approval: Approval(parent: parent, shown: shown))
    }

    /// Declines a request to buy for a parent, as ``decline(_:)`` does.
    ///
    /// - Throws: ``DomainError``: `notFound` also for an account that isn't a
    ///   parent of the asking one's family, `decided`.
    @discardableResult
    package func decline(
        _ transaction: TransactionIdentifier, by parent: AccountIdentifier
    ) async throws -> DeviceRequest {
        try await decline(transaction, approver: parent)
    }

    /// Declines a request to buy: its payment fails, and nothing is charged.
    /// Declining it again changes nothing. `also` begins the transaction that
    /// decides.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that was
    ///   approved.
    @discardableResult
    package func decline(
        _ transaction: TransactionIdentifier, also: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws -> DeviceRequest {
        try await decline(transaction, approver: nil, also: also)
    }

    private func decline(
        _ transaction: TransactionIdentifier, approver: AccountIdentifier?,
        also: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws -> DeviceRequest {
        let account = try await owner(of: transaction)
        return try await write(for: account) { db in
            try also(db)
            var request = try Self.find(transaction, db)
            if let approver { try Self.requireParent(approver, of: request, db) }
            guard request.deferred != nil else { throw Self.unknown(transaction) }
            if request.status == .failed { return request }
            guard try request.move(from: .deferred, to: .failed, db) else {
                throw Self.decided(try Self.find(transaction, db))
            }
            request.fail(.disapproved)
            try request.releaseCode(db)
            try request.update(db)
            try DeviceNews.append(request, db)
            return request
        }
    }

    /// Completes an interrupted purchase after the customer has resolved the
    /// interruption. It is charged, and delivered without a request
    /// identifier. Resolving it again changes nothing.
    ///
    /// - Throws: ``DomainError`` as ``approve(_:)`` does.
    package func resolve(_ transaction: TransactionIdentifier) async throws -> Buying.Progress {
        try await resume(transaction, from: .interrupted)
    }

    /// The requests that wait for a decision, in order of their transaction
    /// identifiers, after `transaction`, at most two hundred.
    package func undecided(after transaction: TransactionIdentifier = "") async throws -> [DeviceRequest] {
        try await read { db in
            try DeviceRequest.undecided(after: transaction, limit: 200, db)
        }
    }

    /// The answer of a parent on the family's page.
    private struct Approval: Sendable {
        var parent: AccountIdentifier
        /// The terms that the page has shown; `nil` when they aren't known.
        var shown: AgreedTerms?
    }

    private func resume(
        _ transaction: TransactionIdentifier, from status: DeviceRequest.Status, approval: Approval? = nil,
        also: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws -> Buying.Progress {
        faults("reserve:before")
        let attempt = Buying.Attempt(
            number: context.newPaymentIdentifier(), identifier: transaction, payer: approval?.parent)
        let found = try await read { db in try Self.find(transaction, db) }
        let reserved = try await write(for: found.account ?? "") { db in
            try also(db)
            return try Self.reserve(found, attempt, from: status, approval, db)
        }
        faults("reserve:after")
        return try await Buying(context).complete(reserved)
    }

    /// `found` is the request as it was read before: one that has changed a plan
    /// has the number of another purchase afterwards.
    private static func reserve(
        _ found: DeviceRequest, _ attempt: Buying.Attempt, from status: DeviceRequest.Status, _ approval: Approval?,
        _ db: StoreTransaction
    ) throws -> Buying.Reserved {
        var request = try again(found, attempt.identifier, db)
        if let approval { try requireParent(approval.parent, of: request, db) }
        guard (status == .deferred ? request.deferred : request.interrupted) != nil else {
            throw unknown(attempt.identifier)
        }
        // The update locks the row: an app can't withdraw the request any
        // more.
        guard try request.move(from: status, to: .processing, db) else {
            let request = try again(found, attempt.identifier, db)
            guard request.status == .done || request.status == .processing else { throw decided(request) }
            // The payment exists when the closure runs again after a lost
            // commit.
            return Buying.Reserved(
                request: request, payment: try Payment.find(attempt.number, of: request.account ?? "", db))
        }
        // A device that was away gets the time of a lost one to fetch the
        // purchase (``Retention/lostDevices``).
        try Device.noteCall(of: request.device, db)
        let decision = try decide(request, approval, db)
        var attempt = attempt
        if approval == nil { attempt.method = try chosenMethod(of: request, db) }
        let payment = try Buying.save(decision, &request, attempt, db)
        return Buying.Reserved(request: request, payment: payment)
    }

    /// The payment method that the customer has chosen for a payment which
    /// waits; `nil` for the preferred one, also when the chosen one was removed.
    private static func chosenMethod(
        of request: DeviceRequest, _ db: StoreTransaction
    ) throws -> PaymentMethodIdentifier? {
        guard let chosen = request.confirmed?.method, let account = request.account else { return nil }
        return try PaymentMethod.find(PaymentMethodIdentifier(chosen), of: account, db)?.identifier
    }

    /// Decides about a request on the state of now: its product, its price and
    /// its account, and whether its time is over.
    private static func decide(
        _ request: DeviceRequest, _ approval: Approval?, _ db: StoreTransaction
    ) throws -> PurchaseDecision {
        if request.isUnanswered(at: db.now) { return .refuse(.unapproved) }
        if let approval, try Account.findOpen(approval.parent, db)?.has(.barred) == true {
            throw DomainError(.declined, "The store sells nothing to your account any more. Nothing was charged.")
        }
        let account = try Account.findOpen(request.account ?? "", db)
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        let ownership = try account.flatMap { account in
            try product.map { try Ownership(of: $0, by: account, request.discount, request.code, db) }
        }
        let decision = try PurchaseDecision.resuming(request, product, for: account, ownership ?? .notOwned)
        if case .buy(let terms) = decision { try approval?.shown?.check(ShownTerms(terms)) }
        return decision
    }

    /// Refuses an account that isn't a parent of the asking one's family. Its
    /// row is locked, so that it isn't closed before it has paid.
    private static func requireParent(
        _ parent: AccountIdentifier, of request: DeviceRequest, _ db: StoreTransaction
    ) throws {
        guard let account = request.account, try Account.hold(parent, db),
            let family = try Family.of(account, db), family.mayDecide(parent, about: account)
        else { throw unknown(request.transactionIdentifier ?? "") }
    }

    private func owner(of transaction: TransactionIdentifier) async throws -> AccountIdentifier {
        try await read { db in
            try Self.find(transaction, db).account ?? ""
        }
    }

    private static func find(_ transaction: TransactionIdentifier, _ db: StoreTransaction) throws -> DeviceRequest {
        guard let request = try DeviceRequest.find(transaction: transaction, db) else {
            throw unknown(transaction)
        }
        return request
    }

    private static func again(
        _ found: DeviceRequest, _ transaction: TransactionIdentifier, _ db: StoreTransaction
    ) throws -> DeviceRequest {
        guard let request = try DeviceRequest.find(found.identifier, of: found.device, db) else {
            throw unknown(transaction)
        }
        return request
    }

    private static func unknown(_ transaction: TransactionIdentifier) -> DomainError {
        DomainError(.notFound, "Nothing waits for a decision under the number \(transaction).")
    }

    private static func decided(_ request: DeviceRequest) -> DomainError {
        let number: TransactionIdentifier = request.transactionIdentifier ?? ""
        return DomainError(
            .decided,
            request.failure.map { "\(number) has failed already: \($0.message)" } ?? "\(number) is bought already.")
    }
}
