// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Review the products that sellers have submitted in Connect.",
        subcommands: [
            ReviewListCommand.self, ReviewShowCommand.self, ReviewBeginCommand.self, ReviewApproveCommand.self,
            ReviewRejectCommand.self,
        ])
}

struct ReviewListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the products that wait, those that were submitted first at the beginning.")

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var products: [Control.ProductReviewAnswer] = []
            while true {
                let call = Control.ProductReviewsCall(after: products.last)
                let page: Control.ProductReviewsAnswer = try await store.call(.productReviews, call) { context in
                    try await Control.ProductReviewsAnswer(listing: call, of: context)
                }
                products += page.products
                if page.products.count < ReviewingProducts.pageSize { break }
            }
            if json { return try printJSON(products) }
            for product in products {
                let date = Date(timeIntervalSince1970: TimeInterval(product.submitted) / 1000)
                print(
                    [
                        product.bundle, product.product, product.state, date.formatted(.iso8601),
                        "version \(product.version)",
                    ]
                    .joined(separator: "\t"))
            }
        }
    }
}

/// The arguments of a decision.
struct ReviewedProduct: ParsableArguments {
    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The product identifier.")
    var product: String

    @Option(help: "The version that was looked at, as list prints it. Without it, the present one.")
    var version: Int64?

    @OptionGroup var store: AdministeredStore

    func decide(_ decision: ProductReview.Decision, reason: String? = nil) async throws {
        let call = Control.ReviewProductCall(
            bundle: bundle, product: product, decision: decision.rawValue, reason: reason, version: version)
        let answer: Control.ReviewAnswer = try await store.call(.reviewProduct, call) { context in
            try await call.carryOut(in: context)
        }
        print(answer.state)
    }
}

struct ReviewBeginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin", abstract: "Show the seller that the product is in review.")

    @OptionGroup var reviewed: ReviewedProduct

    func run() async throws {
        try await storectl.run { try await reviewed.decide(.begin) }
    }
}

struct ReviewApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve the product: production sells it.")

    @OptionGroup var reviewed: ReviewedProduct

    func run() async throws {
        try await storectl.run { try await reviewed.decide(.approve) }
    }
}

struct ReviewRejectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject the product. Its seller reads the reason, and submits it again.")

    @OptionGroup var reviewed: ReviewedProduct

    @Option(help: "The changes that the seller has to make.")
    var reason: String

    func run() async throws {
        try await storectl.run { try await reviewed.decide(.reject, reason: reason) }
    }
}
