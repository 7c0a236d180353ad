// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// A confirmation of a payment's page: the terms that it has shown, and the
/// values that the customer has typed or chosen there.
struct ConfirmedTerms: Hashable, Sendable {
    /// `nil` when nothing was shown.
    var shown: AgreedTerms?
    /// `nil` when the customer shares nothing.
    var contact: SharedContact?
    /// The payment method that the customer has chosen; `nil` for the preferred
    /// one.
    var method: PaymentMethodIdentifier?
    /// The tokens of the link that the customer has clicked in the day before;
    /// `nil` without one.
    var tokens: CampaignTokens?
}
