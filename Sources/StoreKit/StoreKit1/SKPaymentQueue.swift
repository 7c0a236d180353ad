// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The queue of what this app buys: payments go in, transactions come out.
///
/// A transaction stays in the queue, over relaunches too, until
/// ``finishTransaction(_:)``. However many objects of this class are made,
/// there is one queue behind them.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    // @unchecked because the class is open and the delegate isn't Sendable;
    // it is behind a lock, as everything else is behind the core's.
    private static let queue = SKPaymentQueue()

    private let delegates = WeakReference<any SKPaymentQueueDelegate>()
    private var core: PaymentQueueCore { .shared }

    /// Who decides where the app has a say.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { delegates.object }
        set { delegates.object = newValue }
    }

    /// Another door to the one queue, for test doubles to derive from.
    public override init() {
        super.init()
    }

    /// The app's queue.
    ///
    /// A subclass that wants to be asked for by this method overrides it.
    open class func `default`() -> Self {
        guard let queue = queue as? Self else {
            preconditionFailure("\(Self.self) has to override default(): the default queue is an SKPaymentQueue")
        }
        return queue
    }

    /// Whether the customer may pay: `false` when the device doesn't allow
    /// payments, which all of its apps share. Whether there is a store is
    /// another question.
    open class func canMakePayments() -> Bool {
        AgentHost.shared.canMakePayments
    }

    /// The store's country; `nil` until the store has been reached once.
    open var storefront: SKStorefront? { core.storefront }

    /// Puts a payment into the queue.
    ///
    /// When it returns, the payment is written down and survives the end of
    /// the process. What becomes of it comes to the observers, errors too.
    open func add(_ payment: SKPayment) {
        core.add(payment, through: self)
    }

    /// Registers an observer, which hears at once of everything unfinished,
    /// whoever else has heard of it.
    ///
    /// The observer is held weakly: keep it. Registering it again changes
    /// nothing. As long as a process has no observer, what it would show is
    /// shown by another process of the app.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        core.add(observer, through: self)
    }

    /// Unregisters an observer.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        core.remove(observer)
    }

    /// The observers that are registered and alive.
    open var transactionObservers: [any SKPaymentTransactionObserver] { core.observers.map(\.observer) }

    /// Everything unfinished that this process may see.
    open var transactions: [SKPaymentTransaction] { core.transactions }

    /// Takes a transaction out of the queue, because its purchase is
    /// delivered, or its failure seen.
    ///
    /// When it returns, that is written down. A transaction that the store is
    /// still at (`purchasing`, `deferred`) stays, and standard error says so.
    /// It also says so when the disk doesn't take it; it is repeated then, as
    /// long as the process lives.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        core.finish(transaction)
    }

    /// Asks for everything that the customer has bought and can have again.
    open func restoreCompletedTransactions() {
        restoreCompletedTransactions(withApplicationUsername: nil)
    }

    /// Asks for everything that this account of the app has bought and can
    /// have again.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        core.restore(applicationUsername: username)
    }

    /// Would show the sheet of a price increase that waits for the customer's
    /// consent. This store raises no price of a subscription so far, so none
    /// ever waits.
    @available(iOS, deprecated: 18.0)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func showPriceConsentIfNeeded() {}

    /// Tells standard error that this store has no offer codes to redeem, and
    /// does nothing more.
    @available(iOS, deprecated: 18.0)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open func presentCodeRedemptionSheet() {
        AgentHost.say("presentCodeRedemptionSheet: this store has no offer codes, so there is nothing to redeem.")
    }

    /// Starts downloads. There are none so far, so there is nothing to start.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func start(_ downloads: [SKDownload]) {}

    /// Pauses downloads. There are none so far, so there is nothing to pause.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func pause(_ downloads: [SKDownload]) {}

    /// Resumes downloads. There are none so far, so there is nothing to
    /// resume.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func resume(_ downloads: [SKDownload]) {}

    /// Cancels downloads. There are none so far, so there is nothing to
    /// cancel.
    @available(iOS, deprecated: 16.0)
    @available(macOS, deprecated: 13.0)
    @available(tvOS, deprecated: 16.0)
    @available(watchOS, deprecated: 9.0)
    open func cancel(_ downloads: [SKDownload]) {}
}
