// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The first way to persist purchases: the app's receipt has them already.
///
/// Nothing is written. It has no consumables once they are finished, and no
/// free products.
struct InReceipt {
    private let verifier: AppReceiptVerifier
    private let expectation: AppReceiptVerifier.Expectation

    /// Takes the store's root certificate, which is in the app's bundle, the
    /// app's identifier, and this device's: a receipt that was copied from
    /// another device has no purchases here.
    init(root: Data, bundleIdentifier: String, deviceIdentifier: Data) throws {
        verifier = AppReceiptVerifier(trusting: try TrustRoots(pemOrDER: root))
        expectation = .init(bundleIdentifier: bundleIdentifier, deviceIdentifier: deviceIdentifier)
    }

    /// Whether the receipt shows a product that is paid for at a time.
    func isPurchased(_ product: String, receipt: Data, at time: Date) -> Bool {
        guard case .verified(let verified)? = try? verifier.verify(receipt, expecting: expectation) else {
            return false
        }
        return verified.contents.inAppPurchases.contains {
            $0.productIdentifier == product && $0.cancellationDate == nil
                && $0.subscriptionExpirationDate ?? .distantFuture > time
        }
    }
}
