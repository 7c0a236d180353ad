// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The decision of the store's people about a customer's request for a refund.
package struct DecidingRefund: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of requests on a page.
    package static let pageSize = 200

    /// The requests that wait, oldest first, after the one with an identifier.
    package func waiting(after last: RefundIdentifier?) async throws -> [RefundRequest] {
        try await read { db in
            let position = try last.flatMap { try RefundRequest.find($0, db)?.position }
            return try RefundRequest.waiting(after: position, limit: Self.pageSize, db)
        }
    }

    /// Approves a request, and refunds the purchase, or a part of its price in
    /// thousandths.
    ///
    /// The decision is saved first, then the refund under the request's
    /// identifier, and then that it is made. After the death of the process
    /// between two of these steps the request is still in the list, and
    /// repeating the call completes it without a second refund. A refund that
    /// isn't possible leaves the request open. A repeated call names the same
    /// part.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for a declined request;
    ///   the errors of ``RefundingPurchase``.
    package func approve(_ identifier: RefundIdentifier, amount: Int64? = nil) async throws -> RefundRequest {
        var request = try await decide(identifier, approved: true)
        guard request.status == .approving else { return request }
        faults("approverefund:before")
        do {
            _ = try await RefundingPurchase(context)(
                request.transaction, amount: amount, identifier: identifier)
        } catch let error as DomainError where [.notFound, .refundTooLarge, .invalid].contains(error.code) {
            // Nothing was given back, and nothing will be: the request can be
            // declined then.
            try await reopen(request)
            throw error
        }
        faults("approverefund:after")
        request.status = .approved
        let approved = request
        try await write(for: request.account) { db in try approved.save(.approved, db) }
        return approved
    }

    /// Lets a request wait again whose refund isn't possible.
    private func reopen(_ request: RefundRequest) async throws {
        try await write(for: request.account) { db in
            guard try RefundRequest.find(request.identifier, db)?.status == .approving else { return }
            try request.save(.open, db)
        }
    }

    /// Declines a request.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for an approved one.
    package func decline(_ identifier: RefundIdentifier) async throws -> RefundRequest {
        try await decide(identifier, approved: false)
    }

    private func decide(_ identifier: RefundIdentifier, approved: Bool) async throws -> RefundRequest {
        let unknown = DomainError(.notFound, "There is no request for a refund \(identifier).")
        let found = try await read { db in try RefundRequest.find(identifier, db) }
        guard let found else { throw unknown }
        return try await write(for: found.account) { db in
            guard var request = try RefundRequest.find(identifier, db) else { throw unknown }
            guard let status = try request.decided(approved: approved) else { return request }
            try request.save(status, db)
            request.status = status
            if status == .declined, let purchase = try Purchase.find(request.transaction, of: request.account, db) {
                try request.notify(.refundDeclined, about: purchase, db)
            }
            return request
        }
    }
}
