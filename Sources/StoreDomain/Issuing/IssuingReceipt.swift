// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
import StoreCore
import StoreDatabase

/// Issues the receipt of an account's purchases, for one app on one device.
package struct IssuingReceipt: UseCase {
    package let context: StoreContext
    /// The keys and certificates that sign the receipts.
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// A signed receipt, with the account as it was when the purchases were
    /// read.
    package struct Issued: Sendable {
        /// The signed receipt in DER.
        package var receipt: Data
        package var account: Account
        /// The number of purchases that the receipt has no room for.
        package var omitted: Int
    }

    /// Signs a receipt for the account that is signed in on the device; `nil`
    /// when none is. In production, `properties` is ignored.
    ///
    /// The purchases and the account's event number are read in one snapshot,
    /// so that the receipt reflects every event up to that number.
    package func callAsFunction(
        for device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, applicationVersion: String,
        properties: Properties = .none
    ) async throws -> Issued? {
        let read = try await read { db -> (Account, [ReceiptEntry], ServedApp?, AppNumbers)? in
            guard let account = try Device.signedInAccount(on: device, db) else { return nil }
            let numbers = try AppNumbers.find(bundleIdentifier, version: applicationVersion, db)
            return (
                account,
                try Purchase.receiptEntries(
                    of: account.identifier, bundleIdentifier: bundleIdentifier, limit: ReceiptSelection.mostEntries,
                    db),
                try ServedApp.bought(bundleIdentifier, numbers, by: account.identifier, db), numbers
            )
        }
        guard let (account, entries, app, numbers) = read else { return nil }
        let selection = ReceiptSelection(of: entries, at: account.time(at: now))
        guard let deviceIdentifier = Data(hexadecimal: device.rawValue) else {
            throw DomainError(.invalid, "The device identifier isn't hexadecimal.")
        }
        var contents = empty(
            at: account.time(at: now), for: deviceIdentifier, bundleIdentifier: bundleIdentifier,
            applicationVersion: applicationVersion)
        contents.set(app, numbers)
        var listed = selection.listed
        if environment != .production, properties != .none {
            contents.inAppPurchases = try listed.map { try InAppPurchase(encodedForReceipt: $0) }
            listed = []
            properties.apply(to: &contents)
        }
        try await authority.refreshIfStale(now: now.date)
        let receipt = try authority.sign(contents, appending: listed)
        context.meters.count(.receipt)
        return Issued(receipt: receipt, account: account, omitted: selection.omitted)
    }

    /// A receipt without purchases, of a moment of the account's time.
    func empty(
        at moment: StoreTime, for deviceIdentifier: Data, bundleIdentifier: BundleIdentifier,
        applicationVersion: String
    ) -> AppReceipt {
        let opaque = random.bytes(16)
        return AppReceipt(
            environment: environment == .production ? .production : .sandbox,
            bundleIdentifier: bundleIdentifier.rawValue,
            applicationVersion: applicationVersion,
            opaqueValue: opaque,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: deviceIdentifier, opaqueValue: opaque,
                bundleIdentifier: bundleIdentifier.rawValue),
            creationDate: moment.date,
            inAppPurchases: [],
            // Of an app that the account hasn't got on its page. Apple's
            // sandbox writes 1.0 for every app.
            originalApplicationVersion: "1.0")
    }
}

extension AppReceipt {
    /// Sets the numbers of the app, and the version and the date with which an
    /// account has got it on its page, if it has.
    mutating func set(_ app: ServedApp?, _ numbers: AppNumbers) {
        appIdentifier = numbers.app
        versionExternalIdentifier = numbers.version
        guard let app else { return }
        originalApplicationVersion = app.version
        originalPurchaseDate = app.downloaded.wholeSeconds.date
    }
}

extension InAppPurchase {
    /// A purchase as a receipt lists it, with dates in whole seconds: `receipt`
    /// and `latest_receipt_info` of an answer have the same dates. Published
    /// answers of the App Store from 2017 to 2024 have no fractions in either.
    package init(_ purchase: Purchase) {
        self.init(
            quantity: purchase.quantity,
            productIdentifier: purchase.productIdentifier.rawValue,
            transactionIdentifier: purchase.transactionIdentifier.rawValue,
            purchaseDate: purchase.date.wholeSeconds.date,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier.rawValue,
            originalPurchaseDate: purchase.originalDate.wholeSeconds.date,
            productType: ProductTypeNumber(purchase.kind),
            subscriptionExpirationDate: purchase.term?.expires.wholeSeconds.date,
            cancellationDate: purchase.revoked?.wholeSeconds.date,
            webOrderLineItemIdentifier: purchase.term.flatMap { Int64($0.webOrder.rawValue) },
            isInIntroductoryPricePeriod: purchase.term.map { $0.offer?.isPaidIntroduction ?? false },
            isTrialPeriod: purchase.term.map { $0.offer?.isTrial ?? false },
            promotionalOfferIdentifier: purchase.term?.offer.flatMap { offer in
                offer.kind == .promotional || offer.kind == .winBack ? offer.identifier : nil
            })
    }
}

extension InAppPurchase.ProductTypeNumber {
    /// The number of a product kind in attribute 1707; `nil` when it has
    /// none.
    init?(_ kind: Product.Kind) {
        switch kind {
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        case .nonRenewing: self = .nonRenewing
        case .autoRenewable: self = .autoRenewable
        default: return nil
        }
    }
}
