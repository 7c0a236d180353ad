// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension AppReceiptVerifier {
    /// What a receipt has to be for, besides being signed by a trusted store.
    public struct Expectation: Sendable, Hashable {
        /// The app that it has to be for, or nil for any.
        public var bundleIdentifier: String?
        /// The device that it has to be for, or nil for any.
        public var deviceIdentifier: Data?

        /// An expectation; what is nil isn't checked.
        public init(bundleIdentifier: String? = nil, deviceIdentifier: Data? = nil) {
            self.bundleIdentifier = bundleIdentifier
            self.deviceIdentifier = deviceIdentifier
        }

        /// Any app, any device: what a seller's server asks that reads both
        /// from the receipt.
        public static let any = Expectation()

        func refusals(of receipt: AppReceipt) -> [Refusal] {
            var refusals: [Refusal] = []
            // By bytes: two spellings of one accented letter are equal
            // strings, and two apps.
            if let bundleIdentifier, !bundleIdentifier.utf8.elementsEqual(receipt.bundleIdentifier.utf8) {
                refusals.append(
                    Refusal(
                        .wrongBundleIdentifier,
                        "The receipt is for \(receipt.bundleIdentifier), not \(bundleIdentifier)"))
            }
            if let deviceIdentifier, !receipt.isIssued(toDevice: deviceIdentifier) {
                refusals.append(Refusal(.wrongDevice, "The receipt is for another device"))
            }
            return refusals
        }
    }
}
