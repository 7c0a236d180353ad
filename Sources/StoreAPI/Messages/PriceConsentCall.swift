// SPDX-License-Identifier: Apache-2.0

/// Asks for the sheet on which the customer agrees to the higher price of a
/// subscription. The answer has no sheet when no price increase of the app
/// waits for the customer's consent.
///
/// The device and `requestIdentifier` identify the request: a repeat gets the
/// same sheet, until it is answered or expired.
package struct PriceConsentCall: AppCall, Hashable {
    package static let path = StorePath.priceConsent
    package typealias Answer = SheetAnswer

    @Limited<RequestIdentifierText> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String

    package init(requestIdentifier: String, bundleIdentifier: String) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
    }
}
