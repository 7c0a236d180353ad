// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Completes or declines payments that wait for a decision: requests to buy
/// (Ask to Buy) and interrupted purchases.
///
/// Each is identified by the transaction identifier of its future purchase.
package struct ResolvingPendingPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Approves a request to buy: it is charged and delivered as any purchase
    /// is. Approving it again changes nothing.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that has
    ///   failed, `declined` when the provider declined the payment (the
    ///   request keeps waiting), `underWay`. As in ``Buying``, a payment that
    ///   can't be completed now is no error.
    package func approve(_ transaction: TransactionIdentifier) async throws -> Buying.Progress {
        try await resume(transaction, from: .deferred)
    }

    /// Declines a request to buy: its payment fails, and nothing is charged.
    /// Declining it again changes nothing.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that was
    ///   approved.
    @discardableResult
    package func decline(_ transaction: TransactionIdentifier) async throws -> DeviceRequest {
        let account = try await owner(of: transaction)
        return try await write(for: account) { db in
            var request = try Self.find(transaction, db)
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

    private func resume(_ transaction: TransactionIdentifier, from status: DeviceRequest.Status) async throws
        -> Buying.Progress
    {
        faults("reserve:before")
        let attempt = Buying.Attempt(number: context.newPaymentIdentifier(), identifier: transaction)
        let owner = try await owner(of: transaction)
        let reserved = try await write(for: owner) { db in try Self.reserve(attempt, from: status, db) }
        faults("reserve:after")
        return try await Buying(context).complete(reserved)
    }

    private static func reserve(
        _ attempt: Buying.Attempt, from status: DeviceRequest.Status, _ db: StoreTransaction
    ) throws -> Buying.Reserved {
        var request = try find(attempt.identifier, db)
        guard (status == .deferred ? request.deferred : request.interrupted) != nil else {
            throw unknown(attempt.identifier)
        }
        // The update locks the row: an app can't withdraw the request any
        // more.
        guard try request.move(from: status, to: .processing, db) else {
            let request = try find(attempt.identifier, db)
            guard request.status == .done || request.status == .processing else { throw decided(request) }
            // The payment exists when the closure runs again after a lost
            // commit.
            return Buying.Reserved(
                request: request, payment: try Payment.find(attempt.number, of: request.account ?? "", db))
        }
        // A device that was away gets the time of a lost one to fetch the
        // purchase (``Retention/lostDevices``).
        try Device.noteCall(of: request.device, db)
        let account = try Account.findOpen(request.account ?? "", db)
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        let ownership = try account.flatMap { account in
            try product.map { try Ownership(of: $0, by: account, request.discount, request.code, db) }
        }
        let decision = try PurchaseDecision.resuming(request, product, for: account, ownership ?? .notOwned)
        let payment = try Buying.save(decision, &request, attempt, db)
        return Buying.Reserved(request: request, payment: payment)
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
