// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

extension ConnectAnswers {
    struct ListedSubmission: Encodable {
        var bundle: String
        var product: String
        var reference: String
        var app: String
        /// The name of the seller's team; `nil` for one that isn't set up.
        var team: String?
        var state: String
        var submitted: String
        /// The number of changes of the product, which a decision names.
        var version: Int64
    }

    struct Submissions: Encodable {
        var submissions: [ListedSubmission]
        var next: String?
    }

    /// All that a seller has submitted of a product.
    struct Submission: Encodable {
        /// The name of the app.
        var app: String
        /// The name of the seller's team; `nil` for one that isn't set up.
        var team: String?
        var product: Product
        var screenshot: Image?
    }
}

extension ConnectAnswers.ListedSubmission {
    init(_ listed: ReviewingProducts.Listed) {
        let entry = listed.entry
        self.init(
            bundle: entry.app.rawValue, product: entry.product.rawValue, reference: listed.referenceName,
            app: listed.appName, team: listed.teamName, state: entry.state.rawValue,
            submitted: entry.submitted.iso8601, version: entry.version)
    }
}

extension ConnectAnswers.Submission {
    init(_ found: ReviewingProducts.Submission, of team: String?, in service: StoreService) {
        self.init(
            app: found.appName, team: team, product: ConnectAnswers.Product(found.registration, in: service),
            screenshot: found.screenshot.map(ConnectAnswers.Image.init))
    }
}
