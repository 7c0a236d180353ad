// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension Transaction {
    /// The end of a request for a refund.
    public enum RefundRequestStatus: Equatable, Hashable, Sendable {
        /// The store has the request, and decides about it later. A refund is one
        /// of ``Transaction/updates``.
        case success
        /// The customer hasn't sent the form.
        case userCancelled
    }

    /// The reason why a request for a refund can't be sent.
    public enum RefundRequestError: Error, Equatable, Hashable, Sendable {
        /// An earlier request waits for a decision.
        case duplicateRequest
        /// The customer has no such purchase.
        case failed
        /// The purchase cost nothing, or its price was given back.
        @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
        case ineligible
    }

    /// Shows the form on which the customer asks for a refund of the purchase,
    /// and returns when it was sent or closed. When the program that shows the
    /// form ends earlier, as a browser does, a form that wasn't sent for ten
    /// minutes counts as closed.
    ///
    /// An addition to Apple's API, where the function takes a scene or a view
    /// controller.
    ///
    /// - Throws: ``RefundRequestError``, ``StoreKitError``, `CancellationError`.
    public func beginRefundRequest() async throws -> Transaction.RefundRequestStatus {
        try await Self.beginRefundRequest(for: id)
    }

    /// Shows the form on which the customer asks for a refund of a purchase, like
    /// ``beginRefundRequest()``.
    ///
    /// - Throws: ``RefundRequestError``, ``StoreKitError``, `CancellationError`.
    public static func beginRefundRequest(
        for transactionID: UInt64
    ) async throws -> Transaction.RefundRequestStatus {
        let outcome = try await AgentHost.shared.perform(.refundRequest) { agent in
            try await agent.requestRefund(of: "\(transactionID)")
        }
        switch outcome {
        case .requested: return .success
        case .cancelled: return .userCancelled
        case .duplicate: throw RefundRequestError.duplicateRequest
        case .ineligible: throw RefundRequestError.ineligible
        case .failed: throw RefundRequestError.failed
        }
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Transaction.RefundRequestError: LocalizedError {
    /// A sentence for a customer.
    public var errorDescription: String? { "The request for a refund can't be sent." }

    /// The reason.
    public var failureReason: String? {
        switch self {
        case .duplicateRequest: "An earlier request waits for a decision."
        case .failed: "The purchase isn't one of the customer who is signed in."
        case .ineligible: "The purchase cost nothing, or its price was given back."
        }
    }

    /// The remedy.
    public var recoverySuggestion: String? {
        self == .duplicateRequest ? "Wait for the store's decision." : nil
    }
}
