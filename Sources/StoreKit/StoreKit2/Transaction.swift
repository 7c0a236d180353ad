// SPDX-License-Identifier: Apache-2.0

import AppReceipts
public import Foundation

/// A purchase of the customer, or a period of a subscription.
///
/// ```swift
/// for await result in Transaction.updates {
///     guard case .verified(let transaction) = result else { continue }
///     deliver(transaction)
///     await transaction.finish()
/// }
/// ```
///
/// Two transactions are equal when the store's signed values of them are.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Transaction: Identifiable, Sendable {
    /// The type of the identifier.
    public typealias ID = UInt64

    /// The store's identifier.
    public let id: UInt64
    /// The identifier of the first purchase, for a renewal or a product that
    /// was bought again.
    public let originalID: UInt64
    /// The identifier of a subscription's period; `nil` for another product.
    public let webOrderLineItemID: String?
    /// The product's identifier.
    public let productID: String
    /// The group of a subscription; `nil` for another product.
    public let subscriptionGroupID: String?
    /// The app's bundle identifier.
    public let appBundleID: String
    /// When the customer was charged.
    public let purchaseDate: Date
    /// When the product was first bought.
    public let originalPurchaseDate: Date
    /// The end of a subscription's period; `nil` for another product.
    public let expirationDate: Date?
    /// The number of units.
    public let purchasedQuantity: Int
    /// Whether the customer has changed to another subscription of the group.
    public let isUpgraded: Bool
    /// The offer with which it was bought; `nil` for the regular price.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    public let offer: Transaction.Offer?
    /// When it was refunded or isn't shared any more; `nil` while it is
    /// neither.
    public let revocationDate: Date?
    /// The reason of the revocation.
    public let revocationReason: Transaction.RevocationReason?
    /// Whether the whole price was refunded, a part of it, or the product isn't
    /// shared any more; `nil` while it isn't revoked.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public let revocationType: Transaction.RevocationType?
    /// The type of the product.
    public let productType: Product.ProductType
    /// The app's identifier of its user, from the purchase's options.
    public let appAccountToken: UUID?
    /// The environment of the store.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public let environment: AppStore.Environment
    /// Whether the customer or the store has made it.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public let reason: Transaction.Reason
    /// The storefront of the purchase.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public let storefront: Storefront
    /// The value that binds the signature to this device: the SHA-384 hash of
    /// ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``, each
    /// as the lower-case text of a UUID.
    public let deviceVerification: Data
    /// The nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// Whether the customer has bought it, or a member of the family.
    public let ownershipType: Transaction.OwnershipType
    /// When the store signed the value.
    public let signedDate: Date

    let signed: SignedText
    let payload: TransactionPayload

    init(_ payload: TransactionPayload, signed: SignedText) {
        self.payload = payload
        self.signed = signed
        id = UInt64(payload.transactionId ?? "") ?? 0
        originalID = UInt64(payload.originalTransactionId ?? "") ?? 0
        webOrderLineItemID = payload.webOrderLineItemId
        productID = payload.productId ?? ""
        subscriptionGroupID = payload.subscriptionGroupIdentifier
        appBundleID = payload.bundleId ?? ""
        purchaseDate = payload.purchaseDate ?? .missing
        originalPurchaseDate = payload.originalPurchaseDate ?? .missing
        expirationDate = payload.expiresDate
        purchasedQuantity = Int(payload.quantity ?? 1)
        isUpgraded = payload.isUpgraded ?? false
        offer = Offer(
            type: payload.offerType, id: payload.offerIdentifier, mode: payload.offerDiscountType,
            period: payload.offerPeriod)
        revocationDate = payload.revocationDate
        revocationReason = payload.revocationReason.map { RevocationReason(rawValue: Int($0)) }
        revocationType = payload.revocationType.map(RevocationType.init(rawValue:))
        productType = Product.ProductType(rawValue: payload.type ?? "")
        appAccountToken = payload.appAccountToken.flatMap { UUID(uuidString: $0) }
        environment = AppStore.Environment(rawValue: payload.environment?.rawValue ?? "")
        reason = Reason(rawValue: payload.transactionReason ?? "PURCHASE")
        storefront = Storefront(
            countryCode: payload.storefront ?? "", id: payload.storefrontId ?? "", currencyCode: payload.currency)
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .missing
        ownershipType = OwnershipType(rawValue: payload.inAppOwnershipType ?? "")
        signedDate = payload.signedDate ?? .missing
    }

    /// The signed value as JSON.
    public var jsonRepresentation: Data { signed.payload }
    /// The first transaction of another subscription that this one continues;
    /// `nil` when the store doesn't sign one.
    public var previousOriginalTransactionID: UInt64? { payload.previousOriginalTransactionId.flatMap { UInt64($0) } }
    /// The price of all units in the storefront's currency.
    public var price: Decimal? { payload.price.map { Decimal(milliunits: $0) } }
    /// The currency of the price.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
    /// The identifier of the customer's ``AppTransaction``; empty from a store
    /// that doesn't sign one.
    public var appTransactionID: String { payload.appTransactionId ?? "" }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction: Equatable, Hashable {
    /// Whether the signed values are the same.
    public static func == (lhs: Transaction, rhs: Transaction) -> Bool {
        lhs.payload == rhs.payload
    }

    /// Hashes the signed value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(payload)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction: CustomDebugStringConvertible {
    /// The signed value as JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Date {
    /// The date of a value that has none, which isn't verified.
    static var missing: Date { Date(timeIntervalSince1970: 0) }
}

extension UUID {
    /// The nonce of a value that has none, which isn't verified.
    static var missing: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
