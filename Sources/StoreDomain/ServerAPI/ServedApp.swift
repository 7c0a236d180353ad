// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// A customer's app for a seller's server: `JWSAppTransactionDecodedPayload`
/// of the App Store Server API.
package struct ServedApp: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    /// When the account has bought the app on its page, else the account's
    /// first use of it, which the store takes for its download.
    package var downloaded: StoreTime
    /// The version that the account has bought on the page of the app. An app
    /// that was got elsewhere has `1.0`, as in receipts.
    package var version = "1.0"
    /// The number of the app transaction; `nil` where only the version is read.
    package var transaction: TransactionIdentifier?
    /// Those of the app and of its version on the device.
    var numbers = AppNumbers()
}

extension AppTransactionPayload {
    /// An app as a seller's server gets it.
    init(_ app: ServedApp, in environment: StoreEnvironment, signed: WallTime) {
        self.init()
        self.receiptType = PayloadEnvironment(environment)
        self.bundleId = app.bundleIdentifier.rawValue
        self.appAppleId = app.numbers.app
        self.versionExternalIdentifier = app.numbers.version
        self.receiptCreationDate = signed.date
        self.originalPurchaseDate = app.downloaded.wholeSeconds.date
        self.originalApplicationVersion = app.version
        self.appTransactionId = app.transaction?.rawValue
        // The store stands for Apple's, which names the platform of the first download.
        self.originalPlatform = "iOS"
    }
}
