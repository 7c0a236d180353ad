// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkTransactionAPI(_ transaction: StoreKit.Transaction) async {
    let _: any Hashable & Sendable & Identifiable = transaction
    let _: String = transaction.debugDescription
    let _: Data = transaction.jsonRepresentation
    let _: UInt64 = transaction.id
    let _: Transaction.ID = transaction.id
    let _: UInt64 = transaction.originalID
    let _: String? = transaction.webOrderLineItemID
    let _: String = transaction.productID
    let _: String? = transaction.subscriptionGroupID
    let _: String = transaction.appBundleID
    let _: Date = transaction.purchaseDate
    let _: Date = transaction.originalPurchaseDate
    let _: Date? = transaction.expirationDate
    let _: Int = transaction.purchasedQuantity
    let _: Bool = transaction.isUpgraded
    let _: Transaction.Offer? = transaction.offer
    let _: Transaction.OfferType? = transaction.offerType
    let _: String? = transaction.offerID
    let _: String? = transaction.offerPaymentModeStringRepresentation
    let _: String? = transaction.offerPeriodStringRepresentation
    let _: Date? = transaction.revocationDate
    let _: Transaction.RevocationReason? = transaction.revocationReason
    let _: Transaction.RevocationType? = transaction.revocationType
    let _: Decimal? = transaction.revocationPercentage
    let _: String? = transaction.revocationTypeStringRepresentation
    let _: UInt64? = transaction.previousOriginalTransactionID
    let _: Product.ProductType = transaction.productType
    let _: UUID? = transaction.appAccountToken
    let _: String = transaction.appTransactionID
    let _: AppStore.Environment = transaction.environment
    let _: String = transaction.environmentStringRepresentation
    let _: Transaction.Reason = transaction.reason
    let _: String = transaction.reasonStringRepresentation
    let _: Storefront = transaction.storefront
    let _: String = transaction.storefrontCountryCode
    let _: Decimal? = transaction.price
    let _: Locale.Currency? = transaction.currency
    let _: String? = transaction.currencyCode
    let _: Data = transaction.deviceVerification
    let _: UUID = transaction.deviceVerificationNonce
    let _: Transaction.OwnershipType = transaction.ownershipType
    let _: Date = transaction.signedDate
    let _: Product.SubscriptionInfo.Status? = await transaction.subscriptionStatus
    await transaction.finish()
}

func checkTransactionSequencesAPI() async {
    let sequences: [Transaction.Transactions] = [
        Transaction.all, Transaction.all(for: "apple"), Transaction.currentEntitlements,
        Transaction.currentEntitlements(for: "apple"), Transaction.unfinished, Transaction.updates,
    ]
    for sequence in sequences {
        let _: any Sendable = sequence
        for await result in sequence {
            let _: VerificationResult<Transaction> = result
        }
    }
    var iterator: Transaction.Transactions.AsyncIterator = Transaction.all.makeAsyncIterator()
    let next = await iterator.next()
    let _: Transaction.Transactions.Element? = next
    let _: VerificationResult<Transaction>? = await Transaction.currentEntitlement(for: "apple")
    let _: VerificationResult<Transaction>? = await Transaction.latest(for: "apple")
}

func checkTransactionTypesAPI(_ offer: Transaction.Offer) {
    let types: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
    let _: [Int] = types.map(\.rawValue)
    let _: [String] = types.map(\.localizedDescription)
    let reasons: [Transaction.RevocationReason] = [.developerIssue, .other]
    let revocationTypes: [Transaction.RevocationType] = [
        .fullRefund, .proratedRefund, .familyRevocation, .assignmentRevocation,
    ]
    let _: [String] = revocationTypes.map(\.rawValue)
    let _: [Int] = reasons.map(\.rawValue)
    let _: [String] = reasons.map(\.localizedDescription)
    let owners: [Transaction.OwnershipType] = [.purchased, .familyShared, .assigned]
    let _: [String] = owners.map(\.rawValue) + owners.map(\.localizedDescription)
    let _: [String] = [Transaction.Reason.purchase, .renewal].map(\.rawValue)
    let _: any Hashable & Sendable = offer
    let _: String? = offer.id
    let _: Transaction.OfferType = offer.type
    let _: Transaction.Offer.PaymentMode? = offer.paymentMode
    let _: Product.SubscriptionPeriod? = offer.period
    let modes: [Transaction.Offer.PaymentMode] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
    let _: [String] = modes.map(\.rawValue)
}
