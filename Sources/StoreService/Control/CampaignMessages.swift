// SPDX-License-Identifier: Apache-2.0

import StoreCore
package import StoreDomain

/// The messages about the links that customers have clicked before a purchase.
extension Control {
    package struct CampaignsCall: Codable, Sendable {
        /// Lists the campaigns of one seller, by the name of an item's seller
        /// or of an app without an item; all when absent.
        package var seller: String?
        /// Lists campaigns with identifiers after this one; from the first when
        /// absent.
        package var after: String?

        package init(seller: String? = nil, after: String? = nil) {
            self.seller = seller
            self.after = after
        }
    }

    /// At most 200 campaigns, in the order of their identifiers.
    package struct CampaignsAnswer: Codable, Sendable {
        package var campaigns: [CampaignAnswer]

        package init(campaigns: [CampaignAnswer]) {
            self.campaigns = campaigns
        }
    }

    /// The purchases of an app or another medium after clicks on links with the
    /// same tokens, in one currency.
    package struct CampaignAnswer: Codable, Sendable {
        package var identifier: String
        package var seller: String
        /// The app that was got, or in which was bought.
        package var bundle: String?
        /// The number of the item of the app, or of the medium.
        package var item: Int64?
        package var affiliateToken: String?
        package var campaignToken: String?
        package var providerToken: String?
        package var advertisingPartnerToken: String?
        package var customProductPage: String?
        package var purchases: Int64
        /// The sum of the prices, a decimal such as `9.90`. A refund doesn't
        /// change it.
        package var amount: String
        package var currency: String
    }
}

extension Control.CampaignsAnswer {
    /// Lists the campaigns of a store, which may be running or not.
    ///
    /// - Throws: The errors of `CountingCampaigns`.
    package init(listing call: Control.CampaignsCall, of context: StoreContext) async throws {
        let campaigns = try await CountingCampaigns(context).list(of: call.seller, after: call.after ?? "")
        self.init(campaigns: campaigns.map(Control.CampaignAnswer.init))
    }
}

extension Control.CampaignAnswer {
    init(_ campaign: Campaign) {
        let (subject, tokens) = (campaign.subject, campaign.subject.tokens)
        self.init(
            identifier: campaign.identifier, seller: subject.seller, bundle: subject.app?.rawValue,
            item: subject.item, affiliateToken: tokens[.affiliate], campaignToken: tokens[.campaign],
            providerToken: tokens[.provider], advertisingPartnerToken: tokens[.partner],
            customProductPage: tokens[.page], purchases: campaign.purchases, amount: campaign.amount.decimal,
            currency: subject.currency)
    }
}
