// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Lists for sellers.", subcommands: [ReportCampaignsCommand.self])
}

struct ReportCampaignsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "List the purchases after clicks on links with affiliate and campaign tokens.",
        discussion: """
            A link such as https://store.example/app/1001?at=fruit&ct=autumn has an affiliate token (at) and a \
            campaign token (ct); pt, advp and ppid are the provider, the advertising partner and the custom page. They \
            are kept with the same browser's purchases in the day after the click. Refunds don't change the numbers. \
            Works whether the store is running or not.
            """)

    @Option(help: ArgumentHelp("List one seller's only.", valueName: "name"))
    var seller: String?

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var all: [Control.CampaignAnswer] = []
            var page: Control.CampaignsAnswer
            repeat {
                let call = Control.CampaignsCall(seller: seller, after: all.last?.identifier)
                page = try await store.call(.campaigns, call) { context in
                    try await Control.CampaignsAnswer(listing: call, of: context)
                }
                all += page.campaigns
            } while !page.campaigns.isEmpty
            all.sort { $0.place.lexicographicallyPrecedes($1.place) }
            if json { return try printJSON(Control.CampaignsAnswer(campaigns: all)) }
            for campaign in all { print(campaign.line) }
        }
    }
}

extension Control.CampaignAnswer {
    private var tokens: [(name: String, value: String?)] {
        [
            ("at", affiliateToken), ("ct", campaignToken), ("pt", providerToken), ("advp", advertisingPartnerToken),
            ("ppid", customProductPage),
        ]
    }

    private var subject: String { bundle ?? item.map { "item \($0)" } ?? "" }

    /// The values by which a list is sorted.
    fileprivate var place: [String] { [seller, subject] + tokens.map { $0.value ?? "" } + [currency, identifier] }

    /// A line of a list.
    fileprivate var line: String {
        let tokens = tokens.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: " ")
        return "\(seller)  \(subject)  \(tokens)  \(purchases)  \(amount) \(currency)"
    }
}
