// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ProductPromoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote", abstract: "Set the products that the page of an app promotes, in this order.",
        discussion: "Without products, the page promotes none. The app's item has the page (storectl item add).")

    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The products' identifiers, the first one first, at most 20.")
    var products: [String] = []

    @OptionGroup var control: RemoteControl

    func run() async throws {
        try await storectl.run {
            let set: Control.PromoteCall = try await control.call(
                .promoteProducts, Control.PromoteCall(bundle: bundle, products: products))
            let list = set.products.isEmpty ? "nothing" : set.products.joined(separator: ", ")
            print("\(set.bundle) promotes \(list).")
        }
    }
}
