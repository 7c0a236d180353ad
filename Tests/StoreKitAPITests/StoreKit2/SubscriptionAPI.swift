// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSubscriptionPeriodAPI(_ period: Product.SubscriptionPeriod) {
    let _: any Hashable & Sendable = period
    let _: String = period.debugDescription
    let _: Product.SubscriptionPeriod.Unit = period.unit
    let _: Int = period.value
    let _: Range<Date> = period.dateRange()
    let _: Range<Date> = period.dateRange(referenceDate: Date(timeIntervalSince1970: 0))
    let _: String = period.formatted(Duration.UnitsFormatStyle.units())
    let _: DateComponents = DateComponents(subscriptionPeriod: period)
    let _: [Product.SubscriptionPeriod] = [
        .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths, .everyThreeMonths,
        .everySixMonths,
    ]
    let _: SubscriptionPeriod = period
}

func checkSubscriptionPeriodUnitAPI(
    _ unit: Product.SubscriptionPeriod.Unit, _ format: Product.SubscriptionPeriod.Unit.FormatStyle
) -> String {
    let _: any Hashable & Comparable & Sendable = unit
    let _: any Codable & Hashable & Sendable = format
    let _: String = unit.debugDescription
    let _: String = unit.formatted(format)
    let _: String = format.format(unit)
    let _: Product.SubscriptionPeriod.Unit.FormatStyle = format.locale(Locale(identifier: "de_DE"))
    switch unit {
    case .day, .week, .month, .year: return unit.localizedDescription
    @unknown default: return ""
    }
}

func checkSubscriptionOfferAPI(_ offer: Product.SubscriptionOffer) {
    let _: any Hashable & Sendable = offer
    let _: String? = offer.id
    let _: Product.SubscriptionOffer.OfferType = offer.type
    let _: Decimal = offer.price
    let _: String = offer.displayPrice
    let _: Product.SubscriptionPeriod = offer.period
    let _: Int = offer.periodCount
    let _: Product.SubscriptionOffer.PaymentMode = offer.paymentMode
    let types: [Product.SubscriptionOffer.OfferType] = [.introductory, .promotional, .winBack]
    let _: [String] = types.map(\.rawValue) + types.map(\.localizedDescription)
    let modes: [Product.SubscriptionOffer.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
    let _: [String] = modes.map(\.rawValue) + modes.map(\.localizedDescription)
    var signature = Product.SubscriptionOffer.Signature(keyID: "", nonce: UUID(), timestamp: 0, signature: Data())
    signature.keyID = "key"
    signature.nonce = UUID()
    signature.timestamp = 1
    signature.signature = Data()
    let _: any Hashable & Sendable = signature
}

func checkSubscriptionInfoAPI(_ info: Product.SubscriptionInfo) async throws {
    let _: any Hashable & Sendable = info
    let _: SubscriptionInfo = info
    let _: Product.SubscriptionOffer? = info.introductoryOffer
    let _: [Product.SubscriptionOffer] = info.promotionalOffers
    let _: [Product.SubscriptionOffer] = info.winBackOffers
    let _: String = info.subscriptionGroupID
    let _: Product.SubscriptionPeriod = info.subscriptionPeriod
    let _: Int = info.groupLevel
    let _: String = info.groupDisplayName
    let _: Bool = await info.isEligibleForIntroOffer
    let _: Bool = await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group")
    let _: [Product.SubscriptionInfo.Status] = try await info.status
    let _: [Product.SubscriptionInfo.Status] = try await Product.SubscriptionInfo.status(for: "group")
    let _: SubscriptionStatus? = try await Product.SubscriptionInfo.status(transactionID: 1)
}

func checkStatusAPI(_ status: Product.SubscriptionInfo.Status) async {
    let _: any Hashable & Sendable = status
    let _: Product.SubscriptionInfo.RenewalState = status.state
    let _: VerificationResult<Transaction> = status.transaction
    let _: VerificationResult<Product.SubscriptionInfo.RenewalInfo> = status.renewalInfo
    let all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> =
        Product.SubscriptionInfo.Status.all
    for await (groupID, statuses) in all {
        let _: (String, [Product.SubscriptionInfo.Status]) = (groupID, statuses)
    }
    let _: Product.SubscriptionInfo.Status.Statuses = Product.SubscriptionInfo.Status.updates
    for await update in Product.SubscriptionInfo.Status.updates {
        let _: Product.SubscriptionInfo.Status = update
    }
    let states: [SubscriptionRenewalState] = [
        .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
    ]
    let _: [Int] = states.map(\.rawValue)
    let _: [String] = states.map(\.localizedDescription)
}

func checkRenewalInfoAPI(_ info: Product.SubscriptionInfo.RenewalInfo) {
    let _: any Hashable & Sendable = info
    let _: SubscriptionRenewalInfo = info
    let _: String = info.debugDescription
    let _: Data = info.jsonRepresentation
    let _: UInt64 = info.originalTransactionID
    let _: String = info.currentProductID
    let _: Bool = info.willAutoRenew
    let _: String? = info.autoRenewPreference
    let _: Product.SubscriptionInfo.RenewalInfo.ExpirationReason? = info.expirationReason
    let _: Bool = info.isInBillingRetry
    let _: Date? = info.gracePeriodExpirationDate
    let _: Transaction.Offer? = info.offer
    let _: String? = info.offerID
    let _: Transaction.OfferType? = info.offerType
    let _: String? = info.offerPaymentModeStringRepresentation
    let _: String? = info.offerPeriodStringRepresentation
    let _: AppStore.Environment = info.environment
    let _: String = info.environmentStringRepresentation
    let _: Date = info.recentSubscriptionStartDate
    let _: Date? = info.renewalDate
    let _: Decimal? = info.renewalPrice
    let _: Locale.Currency? = info.currency
    let _: String? = info.currencyCode
    let _: UUID? = info.appAccountToken
    let _: [String] = info.eligibleWinBackOfferIDs
    let _: String = info.appTransactionID
    let _: Data = info.deviceVerification
    let _: UUID = info.deviceVerificationNonce
    let _: Date = info.signedDate
    switch info.priceIncreaseStatus {
    case .noIncreasePending, .pending, .agreed: break
    }
    let _: String = info.priceIncreaseStatus.localizedDescription
    let reasons: [Product.SubscriptionInfo.RenewalInfo.ExpirationReason] = [
        .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable, .unknown,
    ]
    let _: [Int] = reasons.map(\.rawValue)
    let _: [String] = reasons.map(\.localizedDescription)
}
