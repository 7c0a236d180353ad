// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// What a receipt with one purchase is made of.
struct OnePurchase: Sendable {
    let bundleIdentifier: String
    private let device = Data(repeating: 1, count: 16)
    private let date = Date()

    init(bundleIdentifier: String) {
        self.bundleIdentifier = bundleIdentifier
    }

    /// Contents with an opaque value of their own, as the store makes them for
    /// every receipt.
    /// Without a device it is nobody's in particular.
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
