// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Decides about payments that waited for somebody: a child's request to buy
/// (Ask to Buy), or a purchase that was interrupted.
///
/// Each has the number of the purchase that it will be, and goes by it.
package struct DecidingLater: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Somebody approves a request to buy: it is charged and delivered as any
    /// purchase is. Approving it again changes nothing.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that was
    ///   declined, `declined` when the card was (it waits on), `underWay`.
    ///   A payment that can't be completed now is no error, as in ``Buying``.
    package func approve(_ transaction: String, now: Instant) async throws -> Buying.Outcome {
        try await resume(transaction, from: .deferred, now: now)
    }

    /// Somebody declines a request to buy: its payment fails. Nothing is
    /// charged. Declining it again changes nothing.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for one that was
    ///   approved.
    package func decline(_ transaction: String) async throws -> Request {
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

    /// The customer has done what interrupted a purchase: it is charged, and
    /// comes to the device without being asked for. Resolving it again changes
    /// nothing.
    ///
    /// - Throws: ``DomainError`` as ``approve(_:now:)`` does.
    package func resolve(_ transaction: String, now: Instant) async throws -> Buying.Outcome {
        try await resume(transaction, from: .interrupted, now: now)
    }

    /// What waits for a decision, in order of the numbers after one, at most
    /// two hundred.
    package func undecided(after transaction: String = "") async throws -> [Request] {
        try await database.read { [environment] connection in
            try Request.undecided(after: transaction, limit: 200, environment, connection)
        }
    }

    private func resume(_ transaction: String, from status: Request.Status, now: Instant) async throws
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
        _ transaction: String, from status: Request.Status, number: String, now: Instant,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> Buying.Reserved {
        var request = try find(transaction, environment, connection)
        guard (status == .deferred ? request.deferred : request.interrupted) != nil else {
            throw unknown(transaction)
        }
        // The row is held from here on: an app can't withdraw it any more.
        guard try request.move(from: status, to: .processing, environment, connection) else {
            let request = try find(transaction, environment, connection)
            guard request.status == .done || request.status == .processing else { throw decided(request) }
            // There is a payment when this runs again after a lost commit.
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
    ) throws -> Request {
        guard let request = try Request.find(transaction: transaction, environment, connection) else {
            throw unknown(transaction)
        }
        return request
    }

    private static func unknown(_ transaction: String) -> DomainError {
        DomainError(.notFound, "Nothing waits for a decision under the number \(transaction).")
    }

    private static func decided(_ request: Request) -> DomainError {
        let number = request.transactionIdentifier ?? ""
        return DomainError(
            .decided,
            request.failure.map { "\(number) has failed already: \($0.message)" } ?? "\(number) is bought already.")
    }
}
