// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The queue of the app's payments and transactions.
///
/// A transaction stays in the queue, across relaunches too, until
/// ``finishTransaction(_:)``. All objects of this class share one queue.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    // @unchecked because the class is open and the delegate isn't Sendable. A
    // lock protects the delegate, and the core's lock everything else.
    private static let queue = SKPaymentQueue()

    private let delegates = WeakReference<any SKPaymentQueueDelegate>()
    private var core: PaymentQueueCore { .shared }

    /// The object that makes the app's decisions.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { delegates.object }
        set { delegates.object = newValue }
    }

    /// Makes another object for the same queue, for test doubles to derive
    /// from.
    public override init() {
        super.init()
    }

    /// The app's queue.
    ///
    /// A subclass must override this method to be returned by it.
    open class func `default`() -> Self {
        guard let queue = queue as? Self else {
            preconditionFailure("\(Self.self) has to override default(): the default queue is an SKPaymentQueue")
        }
        return queue
    }

    /// Whether the customer is allowed to pay: `false` when the device forbids
    /// payments for all of its apps. The answer doesn't depend on the store.
    open class func canMakePayments() -> Bool {
        AgentHost.shared.canMakePayments
    }

    /// The storefront; `nil` until the store has been reached once.
    open var storefront: SKStorefront? { core.storefront }

    /// Adds a payment to the queue.
    ///
    /// When this returns, the payment is saved and survives the end of the
    /// process. Observers receive its transaction. When it can't be saved,
    /// they receive a failed transaction.
    open func add(_ payment: SKPayment) {
        core.add(payment, through: self)
    }

    /// Registers an observer, which receives all unfinished transactions, even
    /// if other observers have received them.
    ///
    /// The observer is held weakly: keep a strong reference. Registering it
    /// again changes nothing. While a process has no observer, another process
    /// of the app receives its transactions.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        core.add(observer, through: self)
    }

    /// Unregisters an observer.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        core.remove(observer)
    }

    /// The observers that are registered and alive.
    open var transactionObservers: [any SKPaymentTransactionObserver] { core.observers.map(\.observer) }

    /// The unfinished transactions that this process may show.
    open var transactions: [SKPaymentTransaction] { core.transactions }

    /// Removes a transaction from the queue, after the app has delivered the
    /// purchase or handled the failure.
    ///
    /// When this returns, the removal is saved. If saving fails, a line on
    /// standard error reports it, and saving is repeated until it succeeds or
    /// the process ends. A transaction that the store is still processing
    /// (`purchasing`, `deferred`) stays in the queue, with a line on standard
    /// error, too.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        core.finish(transaction)
    }

    /// Restores the customer's completed purchases.
    open func restoreCompletedTransactions() {
        core.restore()
    }

    /// Restores the customer's completed purchases. The username selects none
    /// of them: Apple's store restores all purchases of the account too.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        core.restore()
    }

    /// Shows the sheet on which the customer agrees to the higher price of a
    /// subscription. Does nothing when no price increase waits for the
    /// customer's consent, and while the sheet is open.
    ///
    /// For apps whose delegate returned `false` from
    /// ``SKPaymentQueueDelegate/paymentQueueShouldShowPriceConsent(_:)``.
    @available(iOS, deprecated: 18.0)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func showPriceConsentIfNeeded() {
        core.showPriceConsent()
    }

    /// Shows the sheet on which the customer redeems a code. Does nothing while
    /// the sheet is open.
    ///
    /// When this returns, the request is saved: if the process ends, the app's
    /// next launch shows the sheet. Observers receive the purchase as one that
    /// the app hasn't asked for. The app isn't notified when the customer
    /// cancels. Why a code can't be redeemed is shown on the sheet.
    @available(iOS, deprecated: 18.0)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func presentCodeRedemptionSheet() {
        core.presentCodeRedemption()
    }

    /// Starts downloads, some at a time, in the order of the list.
    ///
    /// When this returns, the start is saved: a download goes on in the next
    /// launch of the app. One that has failed or was paused goes on where it
    /// was; one that was cancelled begins anew. Does nothing for one whose
    /// transaction is finished.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func start(_ downloads: [SKDownload]) {
        core.start(downloads)
    }

    /// Pauses downloads. The bytes so far are kept.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func pause(_ downloads: [SKDownload]) {
        core.pause(downloads)
    }

    /// Resumes downloads that were paused, or that have failed. If the store
    /// has a newer version of the content, the download takes that one.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func resume(_ downloads: [SKDownload]) {
        core.resume(downloads)
    }

    /// Cancels downloads that aren't finished, and removes their files.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func cancel(_ downloads: [SKDownload]) {
        core.cancel(downloads)
    }
}
