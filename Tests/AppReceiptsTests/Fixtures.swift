// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport

@testable import AppReceipts

/// The authorities of the tests and the contents that they sign. Keys are
/// made once per run, because making one takes up to a second.
enum Fixtures {
    static let authority = makeAuthority(seed: 1)
    static let otherAuthority = makeAuthority(seed: 2)
    /// Valid during the year 2020.
    static let shortLivedAuthority = makeAuthority(
        seed: 3,
        profile: .init(
            notValidBefore: date("2020-01-01T00:00:00Z"), notValidAfter: date("2020-12-31T23:59:59Z")))

    static let device = Data((0..<16).map { UInt8($0) })
    static let opaqueValue = Data([0xCA, 0xFE, 0xBA, 0xBE, 0, 1, 2, 3])

    static func receipt(
        bundleIdentifier: String = "com.example.fruit", creationDate: Date = date("2026-03-01T12:00:00Z"),
        purchases: [InAppPurchase] = [], unknown: [UnknownAttribute] = []
    ) -> AppReceipt {
        AppReceipt(
            environment: .sandbox, bundleIdentifier: bundleIdentifier, applicationVersion: "1.2",
            opaqueValue: opaqueValue,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: device, opaqueValue: opaqueValue, bundleIdentifier: bundleIdentifier),
            creationDate: creationDate, inAppPurchases: purchases, originalApplicationVersion: "1.0",
            unknownAttributes: unknown)
    }

    static func purchase(_ number: Int, product: String = "com.example.fruit.apple") -> InAppPurchase {
        InAppPurchase(
            quantity: number % 10 + 1, productIdentifier: product,
            transactionIdentifier: String(2_000_000_000 + number),
            purchaseDate: date("2026-01-01T00:00:00Z").addingTimeInterval(Double(number / 3)),
            productType: .consumable)
    }

    /// A receipt with every attribute that a receipt and a purchase can have.
    static var fullReceipt: AppReceipt {
        var purchase = purchase(7)
        purchase.originalTransactionIdentifier = "2000000001"
        purchase.originalPurchaseDate = date("2025-12-31T23:59:59Z")
        purchase.productType = .autoRenewable
        purchase.subscriptionExpirationDate = date("2026-02-01T00:00:00Z")
        purchase.cancellationDate = date("2026-01-15T10:30:00Z")
        purchase.webOrderLineItemIdentifier = .max
        purchase.isTrialPeriod = true
        purchase.isInIntroductoryPricePeriod = false
        purchase.promotionalOfferIdentifier = "loyalty"
        purchase.unknownAttributes = [UnknownAttribute(type: 1720, version: 3, value: Data([0x0C, 0x00]))]
        var receipt = receipt(purchases: [purchase])
        receipt.appIdentifier = 1_234_567_890
        receipt.downloadIdentifier = -1
        receipt.versionExternalIdentifier = 0
        receipt.originalPurchaseDate = date("1969-07-20T20:17:40Z")
        receipt.expirationDate = date("4001-01-01T00:00:00Z")
        receipt.unknownAttributes = [
            UnknownAttribute(type: 8, value: Data([0x16, 0x00])),
            UnknownAttribute(type: 9999, version: 2, value: Data("not DER".utf8)),
        ]
        return receipt
    }

    static func date(_ text: String) -> Date {
        guard let date = try? ReceiptDate.parse(Array(text.utf8)[...]) else {
            preconditionFailure("\(text) is not a date")
        }
        return date
    }

    private static func makeAuthority(
        seed: UInt64, profile: SigningAuthority.Profile = .sandbox
    ) -> SigningAuthority {
        var random = SeededGenerator(seed: seed)
        do {
            return try SigningAuthority.create(profile: profile, using: &random)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
