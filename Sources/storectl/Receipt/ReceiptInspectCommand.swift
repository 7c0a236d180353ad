// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation

struct ReceiptInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Print what a receipt says, without checking who signed it.")

    @Argument(help: "The receipt: DER or base64; - is standard input.")
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let receipt = try UnverifiedAppReceipt(parsing: try readReceipt(file))
            let report = ReceiptReport(receipt.contents)
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
                print(String(decoding: try encoder.encode(report), as: UTF8.self))
            } else {
                report.lines.forEach { print($0) }
            }
        }
    }
}

/// A receipt's contents for people and scripts.
struct ReceiptReport: Encodable {
    struct Purchase: Encodable {
        var productIdentifier: String
        var transactionIdentifier: String
        var originalTransactionIdentifier: String
        var quantity: Int
        var purchaseDate: String
        var cancellationDate: String?
    }

    var environment: String
    var bundleIdentifier: String
    var applicationVersion: String
    var originalApplicationVersion: String
    var creationDate: String
    var deviceHash: String
    var opaqueValue: String
    var purchases: [Purchase]

    init(_ receipt: AppReceipt) {
        environment = receipt.environment.rawValue
        bundleIdentifier = receipt.bundleIdentifier
        applicationVersion = receipt.applicationVersion
        originalApplicationVersion = receipt.originalApplicationVersion
        creationDate = Self.text(receipt.creationDate)
        deviceHash = receipt.deviceHash.base64EncodedString()
        opaqueValue = receipt.opaqueValue.base64EncodedString()
        purchases = receipt.inAppPurchases.map { purchase in
            Purchase(
                productIdentifier: purchase.productIdentifier,
                transactionIdentifier: purchase.transactionIdentifier,
                originalTransactionIdentifier: purchase.originalTransactionIdentifier,
                quantity: purchase.quantity, purchaseDate: Self.text(purchase.purchaseDate),
                cancellationDate: purchase.cancellationDate.map(Self.text))
        }
    }

    var lines: [String] {
        [
            "environment          \(environment)", "bundle identifier    \(bundleIdentifier)",
            "version              \(applicationVersion)", "original version     \(originalApplicationVersion)",
            "created              \(creationDate)", "device hash          \(deviceHash)",
            "opaque value         \(opaqueValue)", "purchases            \(purchases.count)",
        ]
            + purchases.map { purchase in
                "  \(purchase.transactionIdentifier)  \(purchase.purchaseDate)  \(purchase.quantity) × "
                    + purchase.productIdentifier
                    + (purchase.cancellationDate.map { "  cancelled \($0)" } ?? "")
            }
    }

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}
