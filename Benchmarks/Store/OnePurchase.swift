// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The contents of a receipt with one purchase.
struct OnePurchase: Sendable {
    let bundleIdentifier: String
    private let device = Data(repeating: 1, count: 16)
    private let date = Date()

    init(bundleIdentifier: String) {
        self.bundleIdentifier = bundleIdentifier
    }

    /// Makes contents with a new opaque value, as the store does for every
    /// receipt. Without `device` they are for a fixed identifier.
    func receipt(for device: Data? = nil) -> AppReceipt {
        let device = device ?? self.device
        var generator = SystemRandomNumberGenerator()
        let opaque = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        return AppReceipt(
            environment: .sandbox, bundleIdentifier: bundleIdentifier, applicationVersion: "1.0", opaqueValue: opaque,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: device, opaqueValue: opaque, bundleIdentifier: bundleIdentifier),
            creationDate: date,
            inAppPurchases: [
                InAppPurchase(
                    productIdentifier: BenchmarkStore.product, transactionIdentifier: "2000000123456789",
                    purchaseDate: date, productType: .consumable)
            ],
            originalApplicationVersion: "1.0")
    }
}
