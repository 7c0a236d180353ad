// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension Control {
    /// Lists the customers' requests for refunds that wait, oldest first.
    package struct RefundRequestsCall: Codable, Sendable {
        /// Lists those after the one with this identifier; from the oldest
        /// when absent.
        package var after: String?

        package init(after: String? = nil) {
            self.after = after
        }
    }

    /// Approves a request for a refund.
    package struct ApproveRefundCall: Codable, Sendable {
        package var request: String
        /// A decimal such as `0.99`, in the currency of the purchase; all that
        /// is left when absent.
        package var amount: String?

        package init(request: String, amount: String? = nil) {
            self.request = request
            self.amount = amount
        }
    }

    /// Names a request for a refund.
    package struct RefundRequestCall: Codable, Sendable {
        package var request: String

        package init(request: String) {
            self.request = request
        }
    }

    /// A customer's request for a refund.
    package struct RefundRequestAnswer: Codable, Sendable {
        /// 16 bytes in hexadecimal: also the identifier of the refund.
        package var request: String
        package var transaction: String
        /// `unintended`, `child`, `missing`, `broken`, `unsatisfied`, `legal` or
        /// `other`.
        package var reason: String
        /// The customer's words.
        package var comment: String?
        /// `open`, `approving` when an approval wasn't completed, `approved`
        /// or `declined`.
        package var status: String
        /// When the customer asked, in milliseconds since 1970.
        package var created: Int64
        /// The seller's information for the decision: the fields of
        /// `ConsumptionRequest` in the App Store Server API.
        package var consumption: [String: String]?
    }

    package struct RefundRequestsAnswer: Codable, Sendable {
        package var requests: [RefundRequestAnswer]
    }
}

extension StoreService {
    /// Carries out the calls about customers' requests for refunds, and about
    /// refunds that are taken back.
    func controlRefundRequests(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let deciding = DecidingRefund(context)
        if verb == .refundRequests {
            let call = try decode(Control.RefundRequestsCall.self, from: body, of: verb.rawValue)
            let waiting = try await deciding.waiting(after: call.after.map { RefundIdentifier($0) })
            return try encode(
                Control.RefundRequestsAnswer(requests: waiting.map(Control.RefundRequestAnswer.init)))
        }
        if verb == .reverseRefund {
            let call = try decode(Control.ReverseRefundCall.self, from: body, of: verb.rawValue)
            let purchase = try await reverseRefund(
                of: TransactionIdentifier(call.transaction), identifier: call.identifier)
            return try encode(Control.TransactionAnswer(purchase))
        }
        guard verb == .approveRefund else {
            let call = try decode(Control.RefundRequestCall.self, from: body, of: verb.rawValue)
            return try encode(Control.RefundRequestAnswer(try await deciding.decline(RefundIdentifier(call.request))))
        }
        let call = try decode(Control.ApproveRefundCall.self, from: body, of: verb.rawValue)
        let amount = try call.amount.map(Self.milliunits(ofRefund:))
        return try encode(
            Control.RefundRequestAnswer(try await deciding.approve(RefundIdentifier(call.request), amount: amount)))
    }

    /// The amount of a refund in thousandths.
    ///
    /// - Throws: `DomainError` `invalid` for a text that isn't one.
    static func milliunits(ofRefund amount: String) throws -> Int64 {
        do {
            return try Money.milliunits(of: amount)
        } catch {
            throw DomainError(.invalid, "The amount \"\(amount)\" \(error): write a decimal such as 0.99.")
        }
    }
}

extension Control.RefundRequestAnswer {
    init(_ request: RefundRequest) {
        self.init(
            request: request.identifier.rawValue, transaction: request.transaction.rawValue,
            reason: request.reason.rawValue, comment: request.comment, status: request.status.rawValue,
            created: request.created.milliseconds, consumption: request.consumption?.fields)
    }
}
