// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct ProductWinBackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "win-back", abstract: "Say which former subscribers may get a win-back offer.",
        discussion: """
            The offer itself is one of the product's configuration file. Without options every former subscriber of \
            the product may get it. The months count for accounts whose subscriptions renew in real time.
            """)

    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "The offer's identifier.")
    var offer: String

    @Option(help: ArgumentHelp("The least months for which the customer has paid, 1 to 60.", valueName: "months"))
    var paid: Int?

    @Option(
        help: ArgumentHelp("The months since the subscription has ended, within 0 to 24.", valueName: "least-most"))
    var lapsed: String?

    @Option(help: ArgumentHelp("The months between two win-back offers of the group, 2 to 24.", valueName: "months"))
    var wait: Int?

    @Option(help: "normal, or high: before other offers.")
    var priority = "normal"

    @OptionGroup var control: RemoteControl

    func validate() throws {
        _ = try range
    }

    func run() async throws {
        try await storectl.run {
            let isForAll = paid == nil && lapsed == nil && wait == nil
            let conditions = WinBackConditions(
                paidMonths: paid ?? 1, lapsedMonths: try range ?? 0...24, waitMonths: wait)
            let _: Control.WinBackCall = try await control.call(
                .winBack,
                Control.WinBackCall(
                    bundle: bundle, product: product, offer: offer, conditions: isForAll ? nil : conditions,
                    priority: priority))
            let customers = isForAll ? "every former subscriber" : "the former subscribers of these months"
            print("The offer \(offer) of \(product) is for \(customers).")
        }
    }

    /// The months since the end; `nil` without the option.
    private var range: ClosedRange<Int>? {
        get throws {
            guard let lapsed else { return nil }
            let numbers = lapsed.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let least = numbers.first ?? nil, let most = numbers.last ?? nil, numbers.count <= 2,
                (0...24).contains(least), (least...24).contains(most)
            else { throw ValidationError("--lapsed is a range of months within 0 to 24, such as 2-12.") }
            return least...most
        }
    }
}
