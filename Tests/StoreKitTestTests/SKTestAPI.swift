// SPDX-License-Identifier: Apache-2.0

import StoreKit
import StoreKitTest

// The API witness of StoreKitTest: it has to compile.

func checkSKTestSessionAPI(_ url: URL) throws {
    let session: SKTestSession = try SKTestSession(configurationFileNamed: "Fruit")
    let _: SKTestSession = try SKTestSession(contentsOf: url)
    let _: NSObject = session
    let _: any Sendable = session
    let _: Bool = session.askToBuyEnabled
    let _: Bool = session.disableDialogs
    let _: Bool = session.failTransactionsEnabled
    let _: SKError.Code = session.failureError
    let _: Bool = session.interruptedPurchasesEnabled
    let _: String = session.storefront
    let _: Locale = session.locale
    let _: Bool = session.shouldEnterBillingRetryOnRenewal
    let _: Bool = session.billingGracePeriodIsEnabled
    let _: SKTestSession.TimeRate = session.timeRate
    session.shouldEnterBillingRetryOnRenewal = true
    session.billingGracePeriodIsEnabled = true
    session.timeRate = .monthlyRenewalEveryThirtySeconds
    session.askToBuyEnabled = true
    session.disableDialogs = true
    session.failTransactionsEnabled = true
    session.failureError = .invalidSignature
    session.interruptedPurchasesEnabled = true
    session.storefront = "DEU"
    session.locale = Locale(identifier: "de_DE")
    let _: [SKTestTransaction] = session.allTransactions()
    let _: () = session.clearTransactions()
    let _: () = session.resetToDefaultState()
    let number: UInt = 1
    let _: () = try session.deleteTransaction(identifier: number)
    let _: () = try session.refundTransaction(identifier: number)
    let _: () = try session.resolveIssueForTransaction(identifier: number)
    let _: () = try session.approveAskToBuyTransaction(identifier: number)
    let _: () = try session.declineAskToBuyTransaction(identifier: number)
    let _: () = try session.buyProduct(productIdentifier: "apple")
    let _: (Product.ID, Set<Product.PurchaseOption>) async throws -> Transaction = session
        .buyProduct(identifier:options:)
    let _: () = try session.expireSubscription(productIdentifier: "basket")
    let _: () = try session.forceRenewalOfSubscription(productIdentifier: "basket")
    let _: () = try session.disableAutoRenewForTransaction(identifier: number)
    let _: () = try session.enableAutoRenewForTransaction(identifier: number)
    let _: () = try session.requestPriceIncreaseConsentForTransaction(identifier: number)
    let _: () = try session.consentToPriceIncreaseForTransaction(identifier: number)
    let _: () = try session.declinePriceIncreaseForTransaction(identifier: number)
    let _: () = try session.hostContent(at: url)
    let _: Int? = session.contentBandwidth
    session.contentBandwidth = 1_000_000
    let _: [SKTestSession.ContentFailure] = session.contentFailures
    session.contentFailures = [.cut(after: 1_000), .status(503), .wrongBytes]
}

func checkTimeRateAPI() {
    let _: Int = SKTestSession.TimeRate.realTime.rawValue
    let _: SKTestSession.TimeRate? = SKTestSession.TimeRate(rawValue: 15)
    let _: [SKTestSession.TimeRate] = [
        .realTime, .oneHourIsOneDay, .thirtyMinutesIsOneDay, .fiveMinutesIsOneDay, .oneMinuteIsOneDay,
        .thirtySecondsIsOneDay, .oneSecondIsOneDay, .monthlyRenewalEveryHour, .monthlyRenewalEveryThirtyMinutes,
        .monthlyRenewalEveryFifteenMinutes, .monthlyRenewalEveryFiveMinutes, .monthlyRenewalEveryThirtySeconds,
        .oneRenewalEveryFifteenMinutes, .oneRenewalEveryFiveMinutes, .oneRenewalEveryMinute,
        .oneRenewalEveryThirtySeconds, .oneRenewalEveryTenSeconds, .oneRenewalEveryTwoSeconds,
    ]
}

func checkSKTestTransactionAPI(_ transaction: SKTestTransaction) {
    let _: NSObject = transaction
    let _: any Sendable = transaction
    let _: Bool = transaction.autoRenewingEnabled
    let _: Date? = transaction.cancelDate
    let _: Date? = transaction.expirationDate
    let _: Bool = transaction.hasPurchaseIssue
    let _: UInt = transaction.identifier
    let _: UInt = transaction.originalTransactionIdentifier
    let _: Bool = transaction.pendingAskToBuyConfirmation
    let _: String = transaction.productIdentifier
    let _: Date = transaction.purchaseDate
    let _: SKPaymentTransactionState = transaction.state
    let _: Bool = transaction.isPendingPriceIncreaseConsent
}

func checkSKTestErrorAPI(_ error: any Error) {
    let _: String = SKTestErrorDomain
    let _: SKTestError = SKTestError(.noTransactionFound)
    let _: SKTestError.Code = SKTestError.serviceUnavailable
    let _: SKTestError.Code = SKTestError.invalidProductIdentifier
    let _: SKTestError.Code = SKTestError.invalidProductType
    let _: SKTestError.Code = SKTestError.invalidURL
    let _: SKTestError.Code = SKTestError.fileNotFound
    let _: SKTestError.Code = SKTestError.noSubscriptionFound
    let _: SKTestError.Code = SKTestError.noTransactionFound
    let _: SKTestError.Code = SKTestError.invalidAction
    let _: SKTestError? = error as? SKTestError
}
