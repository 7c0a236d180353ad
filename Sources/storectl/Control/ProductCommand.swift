// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ProductCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "product", abstract: "Work with products.", subcommands: [ProductLimitCommand.self])
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
