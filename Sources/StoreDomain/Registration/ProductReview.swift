// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The place of a product in the operator's review.
///
/// Production sells approved products only. The sandbox sells a product
/// without a review. A product that was approved stays approved: changes of
/// its price, countries and texts need no review.
package struct ProductReview: Hashable, Sendable {
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// The seller hasn't submitted it.
        case prepared
        case waiting
        case inReview = "in-review"
        case approved
        /// ``reason`` names the changes that the seller has to make.
        case rejected
    }

    package var state: State
    /// The operator's reason of a rejection.
    package var reason: String?
    /// When the product was submitted; `nil` outside of the queue.
    package var submitted: WallTime?

    package static let longestNote = 4000
    package static let longestReason = 1000

    package static let prepared = ProductReview(state: .prepared)

    /// The review after the seller has submitted the product. With
    /// `approvesAll` it is approved without a look.
    ///
    /// - Throws: ``DomainError`` `decided` for a product that is in the queue
    ///   or approved.
    func submitted(at time: WallTime, approvesAll: Bool) throws -> ProductReview {
        guard state == .prepared || state == .rejected else {
            throw DomainError(.decided, "The product was submitted before.")
        }
        return approvesAll ? ProductReview(state: .approved) : ProductReview(state: .waiting, submitted: time)
    }

    /// A decision of the operator.
    package enum Decision: String, CaseIterable, Hashable, Sendable {
        /// Begins to look at it.
        case begin
        case approve
        case reject
    }

    /// The review after a decision.
    ///
    /// - Throws: ``DomainError``: `decided` for a product outside of the
    ///   queue, `invalid` for a rejection without a reason.
    func decided(_ decision: Decision, reason text: String) throws -> ProductReview {
        guard state == .waiting || state == .inReview else {
            throw DomainError(.decided, "The product isn't in the queue of the review: its seller submits it first.")
        }
        let text = text.trimmingWhitespace()
        switch decision {
        case .begin: return ProductReview(state: .inReview, submitted: submitted)
        case .approve: return ProductReview(state: .approved)
        case .reject:
            guard !text.isEmpty, text.count <= Self.longestReason else {
                throw DomainError(
                    .invalid, "A rejection needs a reason of 1 to \(Self.longestReason) characters: give one.")
            }
            return ProductReview(state: .rejected, reason: text)
        }
    }
}
