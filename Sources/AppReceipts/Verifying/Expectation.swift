// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension AppReceiptVerifier {
    /// The requirements for a receipt besides the signature of a trusted
    /// store.
    public struct Expectation: Sendable, Hashable {
        /// The required app, or nil for any.
        public var bundleIdentifier: String?
        /// The required device, or nil for any.
        public var deviceIdentifier: Data?

        /// An expectation. A requirement that is nil isn't checked.
        public init(bundleIdentifier: String? = nil, deviceIdentifier: Data? = nil) {
            self.bundleIdentifier = bundleIdentifier
            self.deviceIdentifier = deviceIdentifier
        }

        /// Any app and any device, for a seller's server that reads the app
        /// from the receipt.
        public static let any = Expectation()

        func refusals(of receipt: AppReceipt) -> [Refusal] {
            var refusals: [Refusal] = []
            // Compared by bytes: two encodings of an accented letter are
            // equal strings, and different apps.
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
