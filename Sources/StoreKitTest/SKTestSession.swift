// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent
import StoreAssembly
import StoreDomain
public import StoreKit
import StoreService
import Synchronization

/// A complete store in the test's process, made from an Xcode StoreKit
/// configuration file, and the device on which the app buys from it.
///
/// ```swift
/// let session = try SKTestSession(configurationFileNamed: "BuyFruit")
/// session.disableDialogs = true
/// SKPaymentQueue.default().add(SKPayment(product: apple))
/// #expect(session.allTransactions().map(\.productIdentifier) == ["apple"])
/// ```
///
/// The app's StoreKit uses a session from its initialization until it is
/// deallocated; of several sessions it uses the newest. Sessions are isolated:
/// a transaction can be finished only in its own session.
///
/// Every method returns when all work that follows from it is done. The app's
/// observers are called on the main queue, before all work that is put there
/// later. A method that is called on the main queue returns after these calls.
/// Time stands still until ``advance(by:)``; with a ``timeRate`` that shortens
/// periods it runs with the system's.
open class SKTestSession: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; a lock protects its state.
    let shared: Shared
    let configuration: Data
    let file: String
    let initial: SessionSettings

    /// Starts a session with a configuration file of the test's bundle.
    ///
    /// The file is searched in the resources of the loaded bundles, and next
    /// to them in the resource bundles of SwiftPM's targets. The name may omit
    /// `.storekit`.
    ///
    /// - Throws: ``SKTestError``: `fileNotFound`.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try ConfigurationFile.find(filename))
    }

    /// Starts a session with a configuration file.
    ///
    /// - Throws: ``SKTestError``: `invalidURL`, `fileNotFound` for a file that
    ///   can't be read as a configuration.
    public init(contentsOf fileURL: URL) throws {
        guard fileURL.isFileURL else {
            throw SKTestError(.invalidURL, message: "\(fileURL) isn't the address of a file.")
        }
        do {
            configuration = try Data(contentsOf: fileURL)
        } catch {
            throw SKTestError(.fileNotFound, message: "\(fileURL.path) can't be read: \(error.localizedDescription)")
        }
        file = fileURL.lastPathComponent
        initial = SessionSettings(configuration: configuration)
        shared = Shared(initial)
        super.init()
        try begin()
    }

    /// A session needs a configuration file.
    @available(*, unavailable)
    public override init() {
        preconditionFailure("init() of SKTestSession is unavailable")
    }

    deinit {
        shared.state.withLock { $0.host }?.close()
    }

    // MARK: How the store behaves

    /// Whether the store's dialogs are confirmed immediately. Otherwise a
    /// purchase waits for ``confirmDialogs()`` or ``cancelDialogs()``. If true,
    /// the sheets of codes and of price increases aren't shown.
    open var disableDialogs: Bool {
        get { settings.disablesDialogs }
        set { change { $0.disablesDialogs = newValue } }
    }

    /// Whether purchases wait for an approval (Ask to Buy).
    open var askToBuyEnabled: Bool {
        get { settings.asksToBuy }
        set { change { $0.asksToBuy = newValue } }
    }

    /// Whether purchases fail at first, and complete when their issue is
    /// resolved.
    open var interruptedPurchasesEnabled: Bool {
        get { settings.interruptsPurchases }
        set { change { $0.interruptsPurchases = newValue } }
    }

    /// Whether all payments fail, with ``failureError``.
    open var failTransactionsEnabled: Bool {
        get { settings.failsTransactions }
        set { change { $0.failsTransactions = newValue } }
    }

    /// The code of the error that payments fail with.
    open var failureError: SKError.Code {
        get { settings.failure }
        set { change { $0.failure = newValue } }
    }

    /// Whether the renewals of subscriptions aren't paid, so that these are in
    /// billing retry until ``resolveIssueForTransaction(identifier:)``,
    /// ``forceRenewalOfSubscription(productIdentifier:)`` or a later attempt.
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { settings.entersBillingRetry }
        set { change { $0.entersBillingRetry = newValue } }
    }

    /// Whether subscriptions whose renewal isn't paid have a grace period: 16
    /// days, 6 days of a weekly one, and less at a shortened ``timeRate``.
    open var billingGracePeriodIsEnabled: Bool {
        get { settings.hasGracePeriod }
        set { change { $0.hasGracePeriod = newValue } }
    }

    /// The rate at which subscriptions renew. Running periods keep their ends.
    ///
    /// At ``TimeRate/realTime`` the session's time stands still. At any other
    /// rate it runs with the system's, and subscriptions renew meanwhile.
    open var timeRate: TimeRate {
        get { settings.timeRate }
        set { change { $0.timeRate = newValue } }
    }

    /// The country of the store, as a three-letter code. An unknown code
    /// changes nothing and is reported on standard error.
    open var storefront: String {
        get { settings.storefront }
        set {
            guard SessionSettings.isKnown(storefront: newValue) else { return }
            change { $0.storefront = newValue }
        }
    }

    /// The customer's locale, which selects the language of titles and
    /// descriptions.
    open var locale: Locale {
        get { settings.locale }
        set { change { $0.locale = newValue } }
    }

    // MARK: Transactions

    /// All transactions of the session's store, in the order of their dates:
    /// purchases, and requests that wait for an approval or the resolution of
    /// an issue.
    open func allTransactions() -> [SKTestTransaction] {
        (try? host()).flatMap { try? contents($0) }?.map { SKTestTransaction($0) } ?? []
    }

    /// Removes all transactions. The app has no receipt then, and its queue is
    /// empty; observers are notified of the removal. The session's time and
    /// its hosted content don't change.
    open func clearTransactions() {
        restart()
    }

    /// Removes all transactions and sets all properties to their values in the
    /// configuration file.
    open func resetToDefaultState() {
        forgetSettings()
        restart()
    }

    /// Deletes a purchase from the store.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`.
    open func deleteTransaction(identifier: UInt) throws {
        let context = try host().store.context
        try perform { _ in
            _ = try await ForgettingPurchase(context)(TransactionIdentifier("\(identifier)"))
        }
    }

    // MARK: Actions of the customer and the seller

    /// Buys a product in the store, outside the app. The app's observers
    /// receive the transaction.
    ///
    /// - Throws: ``SKTestError`` `invalidProductIdentifier`; `SKError` when the
    ///   payment fails.
    open func buyProduct(productIdentifier: String) throws {
        _ = try pay(AgentPayment(productIdentifier: productIdentifier), [])
    }

    /// Buys a product in the store, outside the app, and returns the
    /// transaction, which is also an update for the app. The options of the
    /// storefront, and keys of the seller, aren't used.
    ///
    /// - Throws: ``SKTestError``: `invalidProductIdentifier`, and
    ///   `noTransactionFound` for a purchase that waits for an approval;
    ///   `SKError` when the payment fails; `Product.PurchaseError`
    ///   `invalidQuantity`.
    @discardableResult
    open func buyProduct(
        identifier: StoreKit.Product.ID, options: Set<StoreKit.Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let (payment, testOptions) = try StoreKit.Product.payment(identifier, options)
        return try await bought(payment, testOptions)
    }

    /// Refunds a purchase and revokes its product.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`.
    open func refundTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.refund("\(identifier)") }
    }

    /// Approves a purchase that waits for an approval.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidAction` for
    ///   one that was declined.
    open func approveAskToBuyTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.approve("\(identifier)") }
    }

    /// Declines a purchase that waits for an approval.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidAction` for
    ///   one that was approved.
    open func declineAskToBuyTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.decline("\(identifier)") }
    }

    /// Resolves the issue of an interrupted purchase, as the customer does.
    /// The app, whose payment has failed, then receives the purchase. Of a
    /// subscription in billing retry, the renewal is paid.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`.
    open func resolveIssueForTransaction(identifier: UInt) throws {
        guard try !resolveRenewal(of: identifier) else { return }
        try perform { _ = try await $0.resolve("\(identifier)") }
    }

    // MARK: Subscriptions

    /// Ends a subscription now, with its renewal turned off.
    ///
    /// - Throws: ``SKTestError``: `noSubscriptionFound`, `invalidProductType`,
    ///   `invalidProductIdentifier`.
    open func expireSubscription(productIdentifier: String) throws {
        try expire(productIdentifier)
    }

    /// Ends the running period of a subscription and begins the next one now.
    /// The renewal is turned on. A subscription in billing retry leaves it;
    /// another one enters it if ``shouldEnterBillingRetryOnRenewal`` is true.
    ///
    /// - Throws: ``SKTestError``: `noSubscriptionFound`, `invalidProductType`,
    ///   `invalidProductIdentifier`.
    open func forceRenewalOfSubscription(productIdentifier: String) throws {
        try renewNow(productIdentifier)
    }

    /// Turns off the renewal of the subscription of a transaction.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidProductType`.
    open func disableAutoRenewForTransaction(identifier: UInt) throws {
        try setRenewal(false, of: identifier)
    }

    /// Turns on the renewal of the subscription of a transaction.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidProductType`,
    ///   `invalidAction` for a subscription that has ended.
    open func enableAutoRenewForTransaction(identifier: UInt) throws {
        try setRenewal(true, of: identifier)
    }

    // MARK: Price increases

    /// Asks the customer to agree to a price increase of the subscription of a
    /// transaction. The queue's delegate is called. The price stays that of
    /// the configuration file.
    ///
    /// If ``disableDialogs`` is true, no dialog is shown, and the request waits
    /// for the two methods below. Otherwise the dialog waits, which
    /// ``confirmDialogs()`` answers too.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidProductType`,
    ///   `noSubscriptionFound` for a subscription that has ended.
    open func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try requestPriceConsent(of: identifier)
    }

    /// Agrees to the price increase of the subscription of a transaction.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidProductType`,
    ///   `invalidAction` when no price increase waits for the customer.
    open func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try answerPriceIncrease(of: identifier, agrees: true)
    }

    /// Declines the price increase of the subscription of a transaction, which
    /// ends with its period.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidProductType`,
    ///   `invalidAction` when no price increase waits for the customer.
    open func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try answerPriceIncrease(of: identifier, agrees: false)
    }
}
