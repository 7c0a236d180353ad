// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
import StoreDatabase

/// Turns an account's purchases into an app receipt for one app on one device.
package struct IssuingReceipt: UseCase {
    package let context: StoreContext
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// A signed receipt, and the event that it is as new as.
    package struct Issued: Sendable {
        package var receipt: Data
        package var account: Account
    }

    /// Signs a receipt for the account that is signed in on the device;
    /// `nil` when nobody is. Production knows no special properties.
    ///
    /// What the receipt lists and the event number are read in one snapshot,
    /// so a receipt never claims to be newer than it is.
    package func callAsFunction(
        for device: DeviceIdentifier, bundleIdentifier: String, applicationVersion: String,
        properties: Properties = .none, now: Instant
    ) async throws -> Issued? {
        let read = try await database.read { [environment] connection -> (Account, [Purchase])? in
            guard let account = try Device.signedInAccount(on: device, environment, connection) else { return nil }
            return (
                account,
                try Purchase.inReceipt(
                    of: account.identifier, bundleIdentifier: bundleIdentifier, environment, connection)
            )
        }
        guard let (account, purchases) = read else { return nil }
        guard let deviceIdentifier = Data(hexadecimal: device.rawValue) else {
            throw DomainError(.invalid, "The device identifier isn't hexadecimal.")
        }
        let opaque = random.bytes(16)
        var contents = AppReceipt(
            environment: environment == .production ? .production : .sandbox,
            bundleIdentifier: bundleIdentifier,
            applicationVersion: applicationVersion,
            opaqueValue: opaque,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: deviceIdentifier, opaqueValue: opaque, bundleIdentifier: bundleIdentifier),
            creationDate: now.date,
            inAppPurchases: purchases.map(InAppPurchase.init),
            // Apple's sandbox says 1.0 for every app; production says what was first bought.
            originalApplicationVersion: "1.0")
        if environment != .production { properties.apply(to: &contents) }
        return Issued(receipt: try authority.sign(contents), account: account)
    }
}

extension InAppPurchase {
    init(_ purchase: Purchase) {
        self.init(
            quantity: purchase.quantity,
            productIdentifier: purchase.productIdentifier,
            transactionIdentifier: purchase.transactionIdentifier,
            purchaseDate: purchase.date.date,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier,
            originalPurchaseDate: purchase.originalDate.date,
            productType: ProductTypeNumber(purchase.kind),
            cancellationDate: purchase.revoked?.date)
    }
}

extension InAppPurchase.ProductTypeNumber {
    /// Attribute 1707.
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
