// SPDX-License-Identifier: Apache-2.0

/// Asks for the sheet on which the customer redeems a code. The purchase
/// arrives in the queue, as one that no app has asked for.
///
/// The device and `requestIdentifier` identify the request: a repeat gets the
/// same sheet, until it is answered or expired.
package struct RedemptionCall: AppCall, Hashable {
    package static let path = StorePath.redemption
    package typealias Answer = SheetAnswer

    @Limited<RequestIdentifierText> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String

    package init(requestIdentifier: String, bundleIdentifier: String) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
    }
}
