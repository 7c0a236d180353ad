// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ProductCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "product", abstract: "Work with products.",
        subcommands: [
            ProductLimitCommand.self, ProductPriceCommand.self, ProductPricesCommand.self,
            ProductCancelPriceCommand.self, ProductWinBackCommand.self, ProductPromoteCommand.self,
        ])
}

struct ProductLimitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit", abstract: "Say in which countries a product isn't sold; without any, it is sold in all.")

    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("A country in which it isn't sold, in three letters.", valueName: "country"))
    var notIn: [String] = []

    @OptionGroup var control: RemoteControl

    func run() async throws {
        try await storectl.run {
            let _: Control.ProductAnswer = try await control.call(
                .product, Control.ProductCall(bundle: bundle, product: product, notSoldIn: notIn))
            let countries = notIn.isEmpty ? "in every country" : "but not in \(notIn.joined(separator: ", "))"
            print("\(product) is sold \(countries).")
        }
    }
}

struct ProductPriceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price", abstract: "Set a product's price in one country, or its base price.",
        discussion: """
            The base price is the same number in the currency of every country without a price of its own. serve \
            leaves a product with a price that was set here as it is, also when its configuration file changes; see \
            serve --overwrite-edits.

            With --starts, --subscribers or --consent the price is scheduled, in place of the one that was scheduled \
            for the product and country. Subscribers keep their price unless --subscribers change is given: each of \
            them is then informed of an increase, and pays it after a notice of 7 days (weekly), 27 (monthly) or 60.
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "The price, a decimal such as 0.99.")
    var price: String?

    @Option(help: ArgumentHelp("The country of the price, in three letters.", valueName: "country"))
    var storefront: String?

    @Flag(help: "Remove the country's price, so that the base price applies there.")
    var remove = false

    @OptionGroup var schedule: PriceSchedule

    @OptionGroup var control: RemoteControl

    func validate() throws {
        guard !remove || !schedule.isGiven else {
            throw ValidationError("--remove takes no --starts, --subscribers or --consent.")
        }
        guard (price == nil) == remove else {
            throw ValidationError("Give either a price, such as 0.99, or --remove.")
        }
        guard !remove || storefront != nil else {
            throw ValidationError("--remove needs --storefront: a product always has a base price.")
        }
    }

    func run() async throws {
        try await storectl.run {
            if let price, schedule.isGiven {
                let change: Control.PriceChangeAnswer = try await control.call(
                    .schedulePrice,
                    Control.SchedulePriceCall(
                        bundle: bundle, product: product, storefront: storefront, price: price,
                        starts: schedule.starts, subscribers: schedule.subscribers, consent: schedule.consent))
                return print(change.line)
            }
            let answer: Control.ProductPriceAnswer = try await control.call(
                .productPrice,
                Control.ProductPriceCall(bundle: bundle, product: product, storefront: storefront, price: price))
            let amount = [answer.price, answer.currency].compactMap { $0 }.joined(separator: " ")
            let note = remove ? ", the base price" : ""
            print("\(product) costs \(amount)\(answer.storefront.map { " in \($0)" } ?? "")\(note).")
        }
    }
}
