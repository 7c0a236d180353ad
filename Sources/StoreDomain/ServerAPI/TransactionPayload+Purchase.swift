// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

extension TransactionPayload {
    /// A purchase as a seller's server gets it: dates in whole seconds, as in
    /// receipts; only `signedDate` has milliseconds.
    init(_ purchase: Purchase, _ details: ServedDetails, in environment: StoreEnvironment, signed: WallTime) {
        self.init()
        self.transactionId = purchase.transactionIdentifier.rawValue
        self.originalTransactionId = purchase.originalTransactionIdentifier.rawValue
        self.bundleId = purchase.bundleIdentifier.rawValue
        self.productId = purchase.productIdentifier.rawValue
        self.type = purchase.kind.rawValue
        self.quantity = Int64(purchase.quantity)
        self.purchaseDate = purchase.date.wholeSeconds.date
        self.originalPurchaseDate = purchase.originalDate.wholeSeconds.date
        self.inAppOwnershipType = purchase.share == nil ? "PURCHASED" : "FAMILY_SHARED"
        self.signedDate = signed.date
        self.environment = PayloadEnvironment(environment)
        self.appAccountToken = details.accountToken(of: purchase)
        self.appTransactionId = details.appTransaction(of: purchase)
        self.transactionReason = purchase.isRenewal ? "RENEWAL" : "PURCHASE"
        self.storefront = purchase.storefront
        self.storefrontId = Storefront.named(purchase.storefront)?.identifier
        self.currency = purchase.price.currency
        self.price = purchase.price.milliunits
        if let term = purchase.term { set(term) }
        if let offer = purchase.codeOffer {
            self.offerType = Product.Offer.Kind.code.number
            self.offerIdentifier = offer
            self.offerDiscountType = "ONE_TIME"
        }
        guard let revoked = purchase.revoked else { return }
        self.revocationDate = revoked.wholeSeconds.date
        self.revocationReason = details.revocationReason(of: purchase)
        guard purchase.share == nil else {
            self.revocationType = "FAMILY_REVOKE"
            return
        }
        self.revocationType = purchase.revokedPart == nil ? "REFUND_FULL" : "REFUND_PRORATED"
        self.revocationPercentage = purchase.revokedPart ?? 100_000
    }

    private mutating func set(_ term: Purchase.Term) {
        self.webOrderLineItemId = term.webOrder.rawValue
        self.subscriptionGroupIdentifier = term.group.rawValue
        self.expiresDate = term.expires.wholeSeconds.date
        if term.isUpgraded { self.isUpgraded = true }
        guard let offer = term.offer else { return }
        self.offerType = offer.kind.number
        if !offer.identifier.isEmpty { self.offerIdentifier = offer.identifier }
        self.offerDiscountType = offer.mode.name
        self.offerPeriod = offer.whole.iso8601
    }
}

extension RenewalInfoPayload {
    /// The renewal of a subscription as a seller's server gets it.
    init(_ renewal: ServedRenewal, _ details: ServedDetails, in environment: StoreEnvironment, signed: WallTime) {
        self.init()
        self.originalTransactionId = renewal.purchase.originalTransactionIdentifier.rawValue
        self.productId = renewal.purchase.productIdentifier.rawValue
        self.autoRenewProductId = renewal.nextProduct.rawValue
        self.autoRenewStatus = renewal.renews ? 1 : 0
        self.expirationIntent = renewal.reason.map { Int64($0.rawValue) }
        self.isInBillingRetryPeriod = renewal.reason == nil ? nil : renewal.isRetried
        self.gracePeriodExpiresDate = renewal.graceEnd?.wholeSeconds.date
        self.priceIncreaseStatus = renewal.priceIncrease.map { $0.isUndecided ? 0 : 1 }
        self.signedDate = signed.date
        self.environment = PayloadEnvironment(environment)
        self.recentSubscriptionStartDate = renewal.started.wholeSeconds.date
        self.renewalDate = renewal.date.wholeSeconds.date
        self.renewalPrice = renewal.price?.milliunits
        self.currency = renewal.price?.currency
        self.appAccountToken = details.accountToken(of: renewal.purchase)
        self.appTransactionId = details.appTransaction(of: renewal.purchase)
        self.eligibleWinBackOfferIds = renewal.winBackOffers.isEmpty ? nil : renewal.winBackOffers
        guard let offer = renewal.offer else { return }
        self.offerType = offer.kind.number
        if !offer.identifier.isEmpty { self.offerIdentifier = offer.identifier }
        self.offerDiscountType = offer.mode.name
        self.offerPeriod = offer.whole.iso8601
    }
}

extension PayloadEnvironment {
    init(_ store: StoreEnvironment) {
        self = store == .production ? .production : .sandbox
    }
}

extension Purchase {
    /// The user name of the payment if it is a UUID, in lower case.
    var accountToken: String? {
        applicationUsername.flatMap { UUID(uuidString: $0)?.uuidString.lowercased() }
    }

    /// Whether the store has made it, and no request.
    var isRenewal: Bool { term != nil && !isOriginal && requestIdentifier == nil }
}

extension Product.Offer.Kind {
    /// The number of `offerType`.
    fileprivate var number: Int64 {
        switch self {
        case .introductory: 1
        case .promotional: 2
        case .code: 3
        case .winBack: 4
        }
    }
}

extension Product.Offer.PaymentMode {
    /// The word of `offerDiscountType`.
    fileprivate var name: String {
        switch self {
        case .free: "FREE_TRIAL"
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        }
    }
}
