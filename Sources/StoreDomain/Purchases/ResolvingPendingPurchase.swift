// SPDX-License-Identifier: Apache-2.0

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
    package func approve(_ transaction: String, now: Instant) async throws -> Buying.Outcome {
        try await resume(transaction, from: .deferred, now: now)
    }

    /// Declines a request to buy: its payment fails, and nothing is charged.
    /// Declining it again changes nothing.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that was
    ///   approved.
    package func decline(_ transaction: String) async throws -> DeviceRequest {
        let account = try await owner(of: transaction)
        return try await database.write(for: account) { [environment] connection in
            var request = try Self.find(transaction, environment, connection)
            guard request.deferred != nil else { throw Self.unknown(transaction) }
            if request.status == .failed { return request }
            guard try request.move(from: .deferred, to: .failed, environment, connection) else {
                throw Self.decided(try Self.find(transaction, environment, connection))
            }
            request.failure = .disapproved
            try request.update(environment, connection)
            return request
        }
    }

    /// Completes an interrupted purchase after the customer has resolved the
    /// interruption. It is charged, and delivered without a request
    /// identifier. Resolving it again changes nothing.
    ///
    /// - Throws: ``DomainError`` as ``approve(_:now:)`` does.
    package func resolve(_ transaction: String, now: Instant) async throws -> Buying.Outcome {
        try await resume(transaction, from: .interrupted, now: now)
    }

    /// The requests that wait for a decision, in order of their transaction
    /// identifiers, after `transaction`, at most two hundred.
    package func undecided(after transaction: String = "") async throws -> [DeviceRequest] {
        try await database.read { [environment] connection in
            try DeviceRequest.undecided(after: transaction, limit: 200, environment, connection)
        }
    }

    private func resume(_ transaction: String, from status: DeviceRequest.Status, now: Instant) async throws
        -> Buying.Outcome
    {
        faults("reserve:before")
        let number = random.hexadecimal(bytes: 16)
        let owner = try await owner(of: transaction)
        let reserved = try await database.write(for: owner) { [environment] connection in
            try Self.reserve(transaction, from: status, number: number, now: now, environment, connection)
        }
        faults("reserve:after")
        return try await Buying(context).complete(reserved, now: now)
    }

    private static func reserve(
        _ transaction: String, from status: DeviceRequest.Status, number: String, now: Instant,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Buying.Reserved {
        var request = try find(transaction, environment, connection)
        guard (status == .deferred ? request.deferred : request.interrupted) != nil else {
            throw unknown(transaction)
        }
        // The update locks the row: an app can't withdraw the request any
        // more.
        guard try request.move(from: status, to: .processing, environment, connection) else {
            let request = try find(transaction, environment, connection)
            guard request.status == .done || request.status == .processing else { throw decided(request) }
            // The payment exists when the closure runs again after a lost
            // commit.
            return Buying.Reserved(request: request, payment: try Payment.find(number, environment, connection))
        }
        let account = try Account.findOpen(request.account ?? "", environment, connection)
        let product = try Catalogue.product(
            request.productIdentifier ?? "", of: request.bundleIdentifier, connection)
        let refusal = account.map { request.refusal(product: product, account: $0) } ?? .accountClosed
        guard let account, let product, refusal == nil else {
            request.status = .failed
            request.failure = refusal
            try request.update(environment, connection)
            return Buying.Reserved(request: request)
        }
        let terms = try Buying.terms(of: request, product, account: account, environment, connection)
        let payment = try Buying.begin(
            &request, on: terms, account: account, number: number, identifier: transaction, now: now, environment,
            connection)
        return Buying.Reserved(request: request, payment: payment)
    }

    private func owner(of transaction: String) async throws -> String {
        try await database.read { [environment] connection in
            try Self.find(transaction, environment, connection).account ?? ""
        }
    }

    private static func find(
        _ transaction: String, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> DeviceRequest {
        guard let request = try DeviceRequest.find(transaction: transaction, environment, connection) else {
            throw unknown(transaction)
        }
        return request
    }

    private static func unknown(_ transaction: String) -> DomainError {
        DomainError(.notFound, "Nothing waits for a decision under the number \(transaction).")
    }

    private static func decided(_ request: DeviceRequest) -> DomainError {
        let number = request.transactionIdentifier ?? ""
        return DomainError(
            .decided,
            request.failure.map { "\(number) has failed already: \($0.message)" } ?? "\(number) is bought already.")
    }
}
