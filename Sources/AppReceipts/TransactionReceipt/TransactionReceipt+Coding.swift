// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TransactionReceipt {
    /// The keys of `purchase-info` for which there are properties.
    private enum Key {
        static let strings = [
            "bid", "bvrs", "product-id", "quantity", "transaction-id", "original-transaction-id", "app-item-id",
        ]
        /// Each date has three entries: `X`, `X-ms` and `X-pst`.
        static let dates = ["purchase-date", "original-purchase-date"]
        /// The expiration date in milliseconds. Its texts have other names.
        static let expiration = "expires-date"
        static let expirationTexts = ["expires-date-formatted", "expires-date-formatted-pst"]

        static let all = Set(
            strings + dates.flatMap { [$0, $0 + "-ms", $0 + "-pst"] } + [expiration] + expirationTexts)
    }

    /// The signed entries, in order of their keys.
    ///
    /// - Throws: ``AppReceiptError/Code/invalidValue`` if a date is outside
    ///   of the years 0 to 9999, an unknown entry has the key of a known one,
    ///   a production receipt has no ``appItemIdentifier``, or a sandbox
    ///   receipt has one.
    func purchaseInfo() throws(AppReceiptError) -> StringPropertyList {
        guard (environment == .production) == (appItemIdentifier != nil) else {
            throw AppReceiptError(.invalidValue, "Receipts have an app item identifier in production, and only there")
        }
        var entries = unknownEntries
        for key in unknownEntries.keys where Key.all.contains(key) {
            throw AppReceiptError(.invalidValue, "The entry \(key) is a known one")
        }
        entries["bid"] = bundleIdentifier
        entries["bvrs"] = bundleVersion
        entries["product-id"] = productIdentifier
        entries["quantity"] = String(quantity)
        entries["transaction-id"] = transactionIdentifier
        entries["original-transaction-id"] = originalTransactionIdentifier
        entries["app-item-id"] = appItemIdentifier
        for (key, exact) in [("purchase-date", purchaseDate), ("original-purchase-date", originalPurchaseDate)] {
            // Rounded first, so that all three entries have the same date.
            let date = StoreDateText.rounded(exact)
            entries[key] = try Self.text(date, .gmt)
            entries[key + "-pst"] = try Self.text(date, .pacific)
            entries[key + "-ms"] = StoreDateText.milliseconds(date)
        }
        if let expirationDate = expirationDate.map(StoreDateText.rounded) {
            entries[Key.expiration] = StoreDateText.milliseconds(expirationDate)
            entries[Key.expirationTexts[0]] = try Self.text(expirationDate, .gmt)
            entries[Key.expirationTexts[1]] = try Self.text(expirationDate, .pacific)
        }
        return StringPropertyList(
            entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) })
    }

    /// The entries of `purchase-info`, by their keys.
    ///
    /// - Throws: ``AppReceiptError/Code/invalidValue`` if the receipt can't be
    ///   encoded.
    public var entries: [String: String] {
        get throws(AppReceiptError) { try purchaseInfo().dictionary }
    }

    private static func text(_ date: Date, _ zone: StoreDateText.Zone) throws(AppReceiptError) -> String {
        guard let text = StoreDateText.text(date, zone) else {
            throw AppReceiptError(
                .invalidValue, "A receipt can't hold a date \(date.timeIntervalSince1970) seconds from 1970")
        }
        return text
    }

    init(purchaseInfo: StringPropertyList, environment: Environment) throws(AppReceiptError) {
        let entries = purchaseInfo.dictionary
        func required(_ key: String) throws(AppReceiptError) -> String {
            guard let value = entries[key] else { throw AppReceiptError(.missingAttribute, "\(key) is missing") }
            return value
        }
        func date(_ key: String) throws(AppReceiptError) -> Date? {
            let date =
                entries[key + "-ms"].flatMap { StoreDateText.date(milliseconds: $0) }
                ?? entries[key].flatMap { StoreDateText.date($0) }
            if date == nil, entries[key] != nil { throw AppReceiptError(.malformed, "\(key) is not a date") }
            return date
        }
        guard let quantity = Int(try required("quantity")) else {
            throw AppReceiptError(.malformed, "quantity is not a number")
        }
        guard let purchaseDate = try date("purchase-date") else {
            throw AppReceiptError(.missingAttribute, "purchase-date is missing")
        }
        self.init(
            environment: environment,
            bundleIdentifier: try required("bid"),
            bundleVersion: try required("bvrs"),
            productIdentifier: try required("product-id"),
            quantity: quantity,
            transactionIdentifier: try required("transaction-id"),
            purchaseDate: purchaseDate,
            originalTransactionIdentifier: entries["original-transaction-id"],
            originalPurchaseDate: try date("original-purchase-date"),
            expirationDate: entries[Key.expiration].flatMap { StoreDateText.date(milliseconds: $0) },
            appItemIdentifier: entries["app-item-id"],
            unknownEntries: entries.filter { !Key.all.contains($0.key) })
    }
}
