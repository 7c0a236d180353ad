// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore
package import StoreDomain

extension Control {
    /// Lists the products that wait for the operator's review.
    package struct ProductReviewsCall: Codable, Sendable {
        /// The product after which the page begins.
        package var after: ProductReviewAnswer?

        package init(after: ProductReviewAnswer? = nil) {
            self.after = after
        }
    }

    /// A product in the queue of the review.
    package struct ProductReviewAnswer: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// `waiting` or `in-review`.
        package var state: String
        /// When it was submitted, in milliseconds since 1970.
        package var submitted: Int64
        /// The number of the product's changes.
        package var version: Int64
    }

    /// The products in the queue, those that were submitted first at the
    /// beginning.
    package struct ProductReviewsAnswer: Codable, Sendable {
        package var products: [ProductReviewAnswer]
    }

    /// Asks for all that a seller has submitted of a product.
    package struct ShowReviewCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// Whether the answer has the bytes of the screenshot.
        package var withScreenshot: Bool?

        package init(bundle: String, product: String, withScreenshot: Bool? = nil) {
            self.bundle = bundle
            self.product = product
            self.withScreenshot = withScreenshot
        }
    }

    /// A value of a product as the seller has typed it, with its name.
    package struct SubmittedValue: Codable, Sendable {
        package var name: String
        package var value: String
    }

    /// A screenshot of a product.
    package struct ScreenshotAnswer: Codable, Sendable {
        /// `image/png` or `image/jpeg`.
        package var type: String
        /// In pixels.
        package var width: Int
        package var height: Int
        /// The bytes in Base64; absent unless the call asks for them.
        package var bytes: Data?
    }

    /// All that a seller has submitted of a product.
    package struct SubmissionAnswer: Codable, Sendable {
        package var bundle: String
        package var app: String
        package var team: String
        package var product: String
        /// Such as `Consumable`.
        package var kind: String
        /// `prepared`, `waiting`, `in-review`, `approved` or `rejected`.
        package var state: String
        /// When it was submitted, in milliseconds since 1970; absent outside
        /// of the queue.
        package var submitted: Int64?
        /// The number of the product's changes.
        package var version: Int64
        /// The seller's note for the reviewer; empty without one.
        package var note: String
        /// The reason of a rejection.
        package var reason: String?
        package var values: [SubmittedValue]
        package var screenshot: ScreenshotAnswer?
    }

    /// The review of a product after a decision.
    package struct ReviewAnswer: Codable, Sendable {
        /// `in-review`, `approved` or `rejected`.
        package var state: String
    }

    /// Decides about a product in the queue.
    package struct ReviewProductCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// `begin`, `approve` or `reject`.
        package var decision: String
        /// The changes that the seller has to make; required to reject.
        package var reason: String?
        /// The version that was looked at; the present one if it is missing.
        package var version: Int64?

        package init(bundle: String, product: String, decision: String, reason: String? = nil, version: Int64? = nil) {
            self.bundle = bundle
            self.product = product
            self.decision = decision
            self.reason = reason
            self.version = version
        }
    }
}

extension Control.ProductReviewsAnswer {
    /// Lists a page of the queue.
    ///
    /// - Throws: `DatabaseError`.
    package init(listing call: Control.ProductReviewsCall, of context: StoreContext) async throws {
        let after = call.after.map { place in
            ReviewingProducts.Entry(
                app: BundleIdentifier(place.bundle), product: ProductIdentifier(place.product), state: .waiting,
                submitted: WallTime(milliseconds: place.submitted), version: place.version)
        }
        let entries = try await ReviewingProducts(context).queue(after: after)
        self.init(
            products: entries.map { entry in
                Control.ProductReviewAnswer(
                    bundle: entry.app.rawValue, product: entry.product.rawValue, state: entry.state.rawValue,
                    submitted: entry.submitted.milliseconds, version: entry.version)
            })
    }
}

extension Control.ReviewProductCall {
    /// Carries out the decision.
    ///
    /// - Throws: `DomainError`: `invalid` for an unknown decision; the errors
    ///   of `ReviewingProducts.decide`.
    package func carryOut(in context: StoreContext) async throws -> Control.ReviewAnswer {
        guard let decision = ProductReview.Decision(rawValue: decision) else {
            let known = ProductReview.Decision.allCases.map(\.rawValue).joined(separator: ", ")
            throw DomainError(.invalid, "There is no decision \"\(self.decision)\": use one of \(known).")
        }
        let review = try await ReviewingProducts(context).decide(
            decision, on: ProductIdentifier(product), of: BundleIdentifier(bundle), reason: reason ?? "",
            version: version)
        return Control.ReviewAnswer(state: review.state.rawValue)
    }
}

extension Control.SubmissionAnswer {
    /// Reads the submission of a product.
    ///
    /// - Throws: `DomainError` `notFound`.
    package init(showing call: Control.ShowReviewCall, in context: StoreContext) async throws {
        let found = try await ReviewingProducts(context).submission(
            of: ProductIdentifier(call.product), in: BundleIdentifier(call.bundle),
            withScreenshot: call.withScreenshot == true)
        let registration = found.registration
        self.init(
            bundle: call.bundle, app: found.appName, team: found.team.rawValue, product: call.product,
            kind: registration.product.kind.rawValue, state: registration.review.state.rawValue,
            submitted: registration.review.submitted?.milliseconds, version: registration.version,
            note: registration.reviewNote, reason: registration.review.reason,
            values: found.values.map { Control.SubmittedValue(name: $0.name, value: $0.value) },
            screenshot: found.screenshot.map {
                Control.ScreenshotAnswer(
                    type: $0.type, width: $0.width, height: $0.height, bytes: found.screenshotBytes)
            })
    }
}

extension StoreService {
    func controlReviews(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        if verb == .reviewProduct {
            let call = try decode(Control.ReviewProductCall.self, from: body, of: verb.rawValue)
            return try encode(try await call.carryOut(in: context))
        }
        if verb == .showReview {
            let call = try decode(Control.ShowReviewCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.SubmissionAnswer(showing: call, in: context))
        }
        let call = try decode(Control.ProductReviewsCall.self, from: body, of: verb.rawValue)
        return try encode(try await Control.ProductReviewsAnswer(listing: call, of: context))
    }
}
