// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreCore
import StoreDomain

/// An app receipt as JSON, which `inspect --json` prints and `make` reads.
struct AppReceiptDescription: Codable {
    var format = "app-receipt"
    var environment: String?
    var bundleIdentifier: String
    var applicationVersion: String?
    var originalApplicationVersion: String?
    var creationDate: String?
    var expirationDate: String?
    var originalPurchaseDate: String?
    var appIdentifier: Int64?
    var downloadIdentifier: Int64?
    var versionExternalIdentifier: Int64?
    /// Base64; computed from the device identifier when absent.
    var deviceHash: String?
    /// Hexadecimal; read by `make` only.
    var deviceIdentifier: String?
    /// Base64.
    var opaqueValue: String?
    var purchases: [Purchase]?
    var unknownAttributes: [Attribute]?

    struct Purchase: Codable {
        var productIdentifier: String
        var transactionIdentifier: String
        var originalTransactionIdentifier: String?
        var quantity: Int?
        var purchaseDate: String
        var originalPurchaseDate: String?
        var productType: Int?
        var expirationDate: String?
        var cancellationDate: String?
        var webOrderLineItemIdentifier: Int64?
        var isTrialPeriod: Bool?
        var isInIntroductoryPricePeriod: Bool?
        var promotionalOfferIdentifier: String?
        var unknownAttributes: [Attribute]?
    }

    struct Attribute: Codable {
        var type: Int
        var version: Int?
        /// Base64.
        var value: String

        init(_ attribute: UnknownAttribute) {
            type = attribute.type
            version = attribute.version
            value = attribute.value.base64EncodedString()
        }

        func attribute() throws -> UnknownAttribute {
            UnknownAttribute(type: type, version: version ?? 1, value: try base64(value, "value"))
        }
    }

    init(_ receipt: AppReceipt) {
        environment = receipt.environment.rawValue
        bundleIdentifier = receipt.bundleIdentifier
        applicationVersion = receipt.applicationVersion
        originalApplicationVersion = receipt.originalApplicationVersion
        creationDate = spelled(receipt.creationDate)
        expirationDate = receipt.expirationDate.map(spelled)
        originalPurchaseDate = receipt.originalPurchaseDate.map(spelled)
        appIdentifier = receipt.appIdentifier
        downloadIdentifier = receipt.downloadIdentifier
        versionExternalIdentifier = receipt.versionExternalIdentifier
        deviceHash = receipt.deviceHash.base64EncodedString()
        opaqueValue = receipt.opaqueValue.base64EncodedString()
        purchases = receipt.inAppPurchases.map(Purchase.init)
        unknownAttributes = receipt.unknownAttributes.isEmpty ? nil : receipt.unknownAttributes.map(Attribute.init)
    }

    /// Makes a receipt. Absent values get defaults.
    ///
    /// - Throws: `CommandFailure` if a value can't be read.
    func receipt(now: Date, opaque: Data) throws -> AppReceipt {
        let opaqueValue = try self.opaqueValue.map { try base64($0, "opaqueValue") } ?? opaque
        let device = try deviceIdentifier.map { text in
            guard let data = Data(hexadecimal: text) else {
                throw CommandFailure("deviceIdentifier takes hexadecimal, not \"\(text)\".")
            }
            return data
        }
        return AppReceipt(
            environment: .init(rawValue: environment ?? AppReceipt.Environment.sandbox.rawValue),
            bundleIdentifier: bundleIdentifier, applicationVersion: applicationVersion ?? "1.0",
            opaqueValue: opaqueValue,
            deviceHash: try deviceHash.map { try base64($0, "deviceHash") }
                ?? AppReceipt.deviceHash(
                    deviceIdentifier: device ?? Data(), opaqueValue: opaqueValue, bundleIdentifier: bundleIdentifier),
            creationDate: try creationDate.map(date) ?? now,
            inAppPurchases: try purchases?.map { try $0.purchase() } ?? [],
            originalApplicationVersion: originalApplicationVersion ?? "1.0",
            originalPurchaseDate: try originalPurchaseDate.map(date), expirationDate: try expirationDate.map(date),
            appIdentifier: appIdentifier, downloadIdentifier: downloadIdentifier,
            versionExternalIdentifier: versionExternalIdentifier,
            unknownAttributes: try unknownAttributes?.map { try $0.attribute() } ?? [])
    }

    var lines: [String] {
        var lines = [
            "format               app receipt", "environment          \(environment ?? "")",
            "bundle identifier    \(bundleIdentifier)", "version              \(applicationVersion ?? "")",
            "original version     \(originalApplicationVersion ?? "")", "created              \(creationDate ?? "")",
        ]
        for (name, value) in [
            ("expires              ", expirationDate), ("first got            ", originalPurchaseDate),
            ("app                  ", appIdentifier.map(String.init)),
            ("download             ", downloadIdentifier.map(String.init)),
            ("version identifier   ", versionExternalIdentifier.map(String.init)),
        ] {
            if let value { lines.append(name + value) }
        }
        lines += [
            "device hash          \(deviceHash ?? "")", "opaque value         \(opaqueValue ?? "")",
            "purchases            \(purchases?.count ?? 0)",
        ]
        return lines + (purchases ?? []).map(\.line)
            + (unknownAttributes ?? []).map { "attribute \($0.type)          \($0.value)" }
    }
}

extension AppReceiptDescription.Purchase {
    init(_ purchase: InAppPurchase) {
        self.init(
            productIdentifier: purchase.productIdentifier, transactionIdentifier: purchase.transactionIdentifier,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier, quantity: purchase.quantity,
            purchaseDate: spelled(purchase.purchaseDate), originalPurchaseDate: spelled(purchase.originalPurchaseDate),
            productType: purchase.productType?.rawValue,
            expirationDate: purchase.subscriptionExpirationDate.map(spelled),
            cancellationDate: purchase.cancellationDate.map(spelled),
            webOrderLineItemIdentifier: purchase.webOrderLineItemIdentifier, isTrialPeriod: purchase.isTrialPeriod,
            isInIntroductoryPricePeriod: purchase.isInIntroductoryPricePeriod,
            promotionalOfferIdentifier: purchase.promotionalOfferIdentifier,
            unknownAttributes: purchase.unknownAttributes.isEmpty
                ? nil : purchase.unknownAttributes.map(AppReceiptDescription.Attribute.init))
    }

    func purchase() throws -> InAppPurchase {
        InAppPurchase(
            quantity: quantity ?? 1, productIdentifier: productIdentifier,
            transactionIdentifier: transactionIdentifier, purchaseDate: try date(purchaseDate),
            originalTransactionIdentifier: originalTransactionIdentifier,
            originalPurchaseDate: try originalPurchaseDate.map(date),
            productType: productType.map(InAppPurchase.ProductTypeNumber.init(rawValue:)),
            subscriptionExpirationDate: try expirationDate.map(date), cancellationDate: try cancellationDate.map(date),
            webOrderLineItemIdentifier: webOrderLineItemIdentifier,
            isInIntroductoryPricePeriod: isInIntroductoryPricePeriod, isTrialPeriod: isTrialPeriod,
            promotionalOfferIdentifier: promotionalOfferIdentifier,
            unknownAttributes: try unknownAttributes?.map { try $0.attribute() } ?? [])
    }

    var line: String {
        "  \(transactionIdentifier)  \(purchaseDate)  \(quantity ?? 1) × \(productIdentifier)"
            + (expirationDate.map { "  until \($0)" } ?? "") + (cancellationDate.map { "  cancelled \($0)" } ?? "")
            + (webOrderLineItemIdentifier.map { "  billing \($0)" } ?? "")
            + (isTrialPeriod == true ? "  trial" : "")
            + (isInIntroductoryPricePeriod == true ? "  introductory price" : "")
    }
}

/// A date in the format of these commands: `2026-01-02T03:04:05Z`.
func spelled(_ date: Date) -> String { date.formatted(.iso8601) }

/// Reads a date in the format of ``spelled(_:)``.
///
/// - Throws: `CommandFailure` for any other text.
func date(_ text: String) throws -> Date {
    guard let date = try? Date(text, strategy: .iso8601) else {
        throw CommandFailure("A date is written 2026-01-02T03:04:05Z, not \"\(text)\".")
    }
    return date
}

private func base64(_ text: String, _ name: String) throws -> Data {
    guard let data = Data(base64Encoded: text) else { throw CommandFailure("\(name) takes base64, not \"\(text)\".") }
    return data
}
