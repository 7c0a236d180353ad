// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

/// The moment of a new price, and its effect on subscribers.
struct PriceSchedule: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The moment from which the price applies, such as 2026-03-01T00:00:00Z; now without it.",
            valueName: "time"))
    var starts: String?

    @Option(help: ArgumentHelp("Whether subscribers keep their price or pay the new one.", valueName: "keep|change"))
    var subscribers: String?

    @Option(
        help: ArgumentHelp(
            """
            Whether subscribers have to agree to a higher price: by the rule for large and repeated increases, all of \
            them, or none.
            """, valueName: "rule|needed|told"))
    var consent: String?

    /// Whether one of the options is given.
    var isGiven: Bool { starts != nil || subscribers != nil || consent != nil }
}

struct ProductPricesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prices", abstract: "List a product's scheduled prices, and those that have begun.")

    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The product's identifier.")
    var product: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.PriceChangesAnswer = try await control.call(
                .priceChanges, Control.PriceChangesCall(bundle: bundle, product: product))
            if json { return try printJSON(answer.changes) }
            for change in answer.changes { print(change.line) }
        }
    }
}

struct ProductCancelPriceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-price", abstract: "Cancel a scheduled price.")

    @Argument(help: "The change, as product prices prints it.")
    var change: String

    @OptionGroup var control: RemoteControl

    func run() async throws {
        try await storectl.run {
            let _: Control.CancelPriceCall = try await control.call(
                .cancelPrice, Control.CancelPriceCall(change: change))
            print("The price \(change) is cancelled.")
        }
    }
}

extension Control.PriceChangeAnswer {
    /// One line about the change.
    var line: String {
        let country = storefront.map { " in \($0)" } ?? ""
        let before = previous.map { ", before \($0)" } ?? ""
        return "\(change) \(product) \(price)\(country) from \(starts)\(before), subscribers \(subscribers), "
            + "consent \(consent): \(status)"
    }
}
