// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The first way to persist purchases: the app's receipt has them already.
///
/// Nothing is written. It has no consumables once they are finished, and no
/// free products.
struct InReceipt {
    private let verifier: AppReceiptVerifier
    let bundleIdentifier: String

    /// Takes the store's root certificate, which is in the app's bundle, and the app's identifier.
    init(root: Data, bundleIdentifier: String) throws {
        verifier = AppReceiptVerifier(trusting: try TrustRoots(pemOrDER: root))
        self.bundleIdentifier = bundleIdentifier
    }

    /// Whether the receipt shows a product that is paid for at a time.
    func isPurchased(_ product: String, receipt: Data, at time: Date) -> Bool {
        guard
            case .verified(let verified)? = try? verifier.verify(
                receipt, expecting: .init(bundleIdentifier: bundleIdentifier))
        else { return false }
        return verified.contents.inAppPurchases.contains {
            $0.productIdentifier == product && $0.cancellationDate == nil
                && $0.subscriptionExpirationDate ?? .distantFuture > time
        }
    }
}
