// SPDX-License-Identifier: Apache-2.0

/// A purchase that a customer has made in the day after a click on a link with
/// tokens.
package struct CampaignPurchase: Hashable, Sendable {
    package var subject: Campaign.Subject
    /// The price in thousandths.
    package var milliunits: Int64
}
