// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// A customer's app for a seller's server: `JWSAppTransactionDecodedPayload`
/// of the App Store Server API.
package struct ServedApp: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    /// The account's first use of the app, which the store takes for its
    /// download.
    package var downloaded: StoreTime
}

extension AppTransactionPayload {
    /// An app as a seller's server gets it.
    init(_ app: ServedApp, in environment: StoreEnvironment, signed: WallTime) {
        self.init()
        self.receiptType = PayloadEnvironment(environment)
        self.bundleId = app.bundleIdentifier.rawValue
        self.receiptCreationDate = signed.date
        self.originalPurchaseDate = app.downloaded.date
        // As in receipts: the store doesn't record the version.
        self.originalApplicationVersion = "1.0"
    }
}
