// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// Checks receipts with the store's root certificate, without a request.
///
/// It needs no network and can't be delayed by the store. It sees only
/// the receipt: the app sends a new one after a renewal or a refund.
struct ReceiptsHere: ReceiptChecking {
    private let verifier: AppReceiptVerifier
    private let bundleIdentifier: String

    init(root: Data, bundleIdentifier: String) throws {
        verifier = AppReceiptVerifier(trusting: try TrustRoots(pemOrDER: root))
        self.bundleIdentifier = bundleIdentifier
    }

    func check(_ receipt: Data) async throws -> [Purchase] {
        // The server has no device: the app compares the device's hash itself.
        guard
            case .verified(let verified)? = try? verifier.verify(
                receipt, expecting: .init(bundleIdentifier: bundleIdentifier))
        else { throw Refusal.invalidReceipt }
        return verified.contents.inAppPurchases.map {
            Purchase(
                product: $0.productIdentifier, transaction: $0.transactionIdentifier,
                original: $0.originalTransactionIdentifier, quantity: $0.quantity, bought: $0.purchaseDate,
                expires: $0.subscriptionExpirationDate, refunded: $0.cancellationDate)
        }
    }
}
