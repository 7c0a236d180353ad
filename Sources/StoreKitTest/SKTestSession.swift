// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreDomain
public import StoreKit
internal import StoreService
internal import Synchronization

/// A whole store in the test's process, from an Xcode StoreKit configuration
/// file, and the device on which the app buys from it.
///
/// ```swift
/// let session = try SKTestSession(configurationFileNamed: "BuyFruit")
/// session.disableDialogs = true
/// SKPaymentQueue.default().add(SKPayment(product: apple))
/// #expect(session.allTransactions().map(\.productIdentifier) == ["apple"])
/// ```
///
/// From its making to its end the app's StoreKit uses this session; of
/// several, the newest that hasn't ended. Sessions don't see one another: a
/// transaction of one is finished in that one only.
///
/// Every method returns when all that it leads to is done. The app hears of it
/// on the main queue, before anything that is put there later; a method that
/// is called on the main queue returns when the app has heard. Time stands
/// still until ``advance(by:)``.
open class SKTestSession: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; what changes is behind a lock.
    private struct State {
        var settings: SessionSettings
        var host: SessionHost?
        var bought = 0
    }

    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ settings: SessionSettings) {
            state = Mutex(State(settings: settings))
        }
    }

    private let shared: Shared
    private let configuration: Data
    private let file: String
    private let initial: SessionSettings

    /// Starts a session with a file of the test's bundle, named without
    /// `.storekit`.
    ///
    /// It is looked for in the resources of the loaded bundles, and beside
    /// them in those of SwiftPM's targets.
    ///
    /// - Throws: ``SKTestError``: `fileNotFound`.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try ConfigurationFile.find(filename))
    }

    /// Starts a session with a file.
    ///
    /// - Throws: ``SKTestError``: `invalidURL`, `fileNotFound` for one that
    ///   can't be read as a configuration; its message names the place.
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

    /// Whether the store's dialogs are confirmed at once. When not, a purchase
    /// waits for ``confirmDialogs()`` or ``cancelDialogs()``.
    open var disableDialogs: Bool {
        get { settings.disablesDialogs }
        set { change { $0.disablesDialogs = newValue } }
    }

    /// Whether somebody else has to approve purchases.
    open var askToBuyEnabled: Bool {
        get { settings.asksToBuy }
        set { change { $0.asksToBuy = newValue } }
    }

    /// Whether purchases fail at first, and go on when their issue is
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

    /// What payments fail with.
    open var failureError: SKError.Code {
        get { settings.failure }
        set { change { $0.failure = newValue } }
    }

    /// The country of the store, in three letters; one that the store doesn't
    /// know changes nothing, and standard error says so.
    open var storefront: String {
        get { settings.storefront }
        set {
            guard SessionSettings.isKnown(storefront: newValue) else { return }
            change { $0.storefront = newValue }
        }
    }

    /// The customer's language: that of titles and descriptions.
    open var locale: Locale {
        get { settings.locale }
        set { change { $0.locale = newValue } }
    }

    // MARK: What was bought

    /// All transactions of the session's store, in the order of their dates:
    /// purchases, and those that wait for approval or for an issue to be
    /// resolved.
    open func allTransactions() -> [SKTestTransaction] {
        (try? host()).flatMap { try? contents($0) }?.map { SKTestTransaction($0) } ?? []
    }

    /// Removes all transactions. The app begins anew: nothing is in its queue,
    /// whose observers hear of the removal, and it has no receipt. The time
    /// stays.
    open func clearTransactions() {
        restart()
    }

    /// Removes all transactions and sets all properties to what the
    /// configuration file says.
    open func resetToDefaultState() {
        forgetSettings()
        restart()
    }

    /// Makes a purchase never have been.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`.
    open func deleteTransaction(identifier: UInt) throws {
        try perform { service in
            let purchase = try await ForgettingPurchase(service.context)("\(identifier)")
            service.hub.news(of: purchase.account)
        }
    }

    // MARK: What happens to it

    /// Buys a product in the store itself, not in the app, which hears of it
    /// as of any purchase.
    ///
    /// - Throws: ``SKTestError`` `invalidProductIdentifier`; `SKError` when the
    ///   payment fails.
    open func buyProduct(productIdentifier: String) throws {
        let settings = settings
        guard !settings.failsTransactions else {
            throw SKError(
                settings.failure, userInfo: [NSLocalizedDescriptionKey: "The session fails every transaction."])
        }
        try host().buy(productIdentifier, request: nextRequest())
    }

    /// Gives the money of a purchase back and takes back what was bought.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`.
    open func refundTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.refund("\(identifier)") }
    }

    /// Somebody approves a purchase that waits for it.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidAction` for
    ///   one that was declined.
    open func approveAskToBuyTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.approve("\(identifier)") }
    }

    /// Somebody declines a purchase that waits for approval.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidAction` for
    ///   one that was approved.
    open func declineAskToBuyTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.decline("\(identifier)") }
    }

    /// The customer settles what has interrupted a purchase: the app, whose
    /// payment has failed, hears of the purchase without having asked.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`.
    open func resolveIssueForTransaction(identifier: UInt) throws {
        try perform { _ = try await $0.resolve("\(identifier)") }
    }

    // MARK: What is between

    var settings: SessionSettings { shared.state.withLock { $0.settings } }

    /// The store and the device of now.
    ///
    /// - Throws: ``SKTestError`` `serviceUnavailable` when starting again has
    ///   failed.
    func host() throws -> SessionHost {
        guard let host = shared.state.withLock({ $0.host }) else {
            throw SKTestError(.serviceUnavailable, message: "The session couldn't be started again.")
        }
        return host
    }

    /// A name for a purchase that no app has asked for.
    func nextRequest() -> String {
        shared.state.withLock { state in
            state.bought += 1
            return "session-\(state.bought)"
        }
    }

    /// Starts with nothing bought, in the place of what was.
    func begin() throws {
        let before = shared.state.withLock { state in
            defer { state.host = nil }
            return state.host
        }
        defer { before?.close() }
        let host = try SessionHost(
            configuration: configuration, file: file, now: before?.clock.now ?? SessionHost.systemTime,
            settings: { [shared] in shared.state.withLock { $0.settings } })
        shared.state.withLock { $0.host = host }
        host.attach(inPlaceOf: before)
        apply()
    }

    /// Everything as in the configuration file.
    func forgetSettings() {
        shared.state.withLock { $0.settings = initial }
    }

    private func change(_ change: (inout SessionSettings) -> Void) {
        shared.state.withLock { change(&$0.settings) }
        apply()
    }

    /// Has the store do as the settings say.
    private func apply() {
        let settings = settings
        guard let host = try? host() else { return }
        do {
            _ = try host.perform { service in
                try await service.change(
                    account: host.account.email,
                    ChangingAccount.Change(
                        storefront: settings.storefront, asksToBuy: settings.asksToBuy,
                        interruptsPurchases: settings.interruptsPurchases))
            }
        } catch {
            FileHandle.standardError.write(Data("StoreKitTest: \(error.localizedDescription)\n".utf8))
        }
    }
}
