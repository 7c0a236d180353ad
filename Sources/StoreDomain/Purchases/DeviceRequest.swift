// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// A device's request under a request identifier, and the one answer to it.
///
/// It has no account until a customer confirms its sheet, or until it is
/// answered for the account that is signed in on the device.
package struct DeviceRequest: Hashable, Sendable {
    /// The operation that a device asks for.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Buying a product.
        package static let payment = Kind(rawValue: "payment")
        /// Redeeming a code, whose product isn't known before the customer
        /// types it.
        package static let redemption = Kind(rawValue: "redemption")
        /// Signing in, because a restore or a receipt refresh needs an account.
        package static let signIn = Kind(rawValue: "sign-in")
        /// Agreeing to the higher price of a subscription.
        package static let priceConsent = Kind(rawValue: "price-consent")
        /// Signing out.
        package static let signOut = Kind(rawValue: "sign-out")
    }

    /// The state of a request.
    package struct Status: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not answered yet: the customer has to decide on the sheet. A
        /// sign-in keeps this status after its sheet was confirmed, until a
        /// restore is answered.
        package static let open = Status(rawValue: "open")
        /// Confirmed; the payment provider hasn't answered yet.
        package static let processing = Status(rawValue: "processing")
        /// Another person has to approve (Ask to Buy).
        package static let deferred = Status(rawValue: "deferred")
        /// The app receives a failure; the request still becomes a purchase
        /// when the customer has resolved the interruption.
        package static let interrupted = Status(rawValue: "interrupted")
        /// A payment became a purchase, a restore was answered, or the device
        /// was signed out.
        package static let done = Status(rawValue: "done")
        /// The request ended without a purchase or an account; `failure` has
        /// the reason.
        package static let failed = Status(rawValue: "failed")

        /// Whether the request has its final answer.
        var isOver: Bool { self == .done || self == .failed }
    }

    package var device: DeviceIdentifier
    /// The request identifier, which is unique on the device.
    package var identifier: RequestIdentifier
    package var kind: Kind
    package var bundleIdentifier: BundleIdentifier
    /// The product to buy; `nil` unless the request is a payment, a redemption
    /// whose code is confirmed, or one on the page of an app.
    package var productIdentifier: ProductIdentifier?
    /// The number of units to buy; 1 unless the request is a payment.
    package var quantity: Int
    /// The app's own name for its user; `nil` when the app gives none.
    package var applicationUsername: String?
    /// Whether the sandbox simulates that another person has to approve.
    package var simulatesAskToBuy = false
    /// Whether a payment that changes nothing about the customer's subscription is answered with its transaction, as in
    /// StoreKit 2; it fails otherwise.
    package var acceptsRunning = false
    /// The promotional or win-back offer that the payment names; `nil` when it names none.
    package var discount: PaymentDiscount?
    package var status: Status
    /// The identifier of the request's account; `nil` as long as it has none.
    package var account: AccountIdentifier?
    /// The identifier of the purchase. A deferred or interrupted request has
    /// it before the purchase is made.
    package var transactionIdentifier: TransactionIdentifier?
    /// When another person was asked to approve it.
    package var deferred: StoreTime?
    /// When it was interrupted.
    package var interrupted: StoreTime?
    /// The number of the account's event that reports the purchase; `nil`
    /// until the purchase is made, and for an interrupted request that has
    /// only changed a plan.
    package var eventNumber: Int64?
    /// Why the request failed or was interrupted, or with which failure it
    /// ends unless its payment is made; `nil` without one, and after its
    /// purchase is made.
    package var failure: PurchaseFailure?
    /// The contact that the customer shares with the seller when the purchase
    /// is made; `nil` when there is none, and afterwards.
    package var contact: ContactExchange?
    /// The offer that the customer has confirmed; `nil` when there is none,
    /// and after the purchase is made.
    package var appliedOffer: AppliedOffer?
    /// The terms of a subscription that the customer has confirmed on a sheet
    /// before the payment had to wait; `nil` for every other request.
    var confirmed: ConfirmedPayment?
    /// The code that a redemption uses; `nil` until the customer has confirmed
    /// one, and after its use was given back.
    package var code: RedeemedCode?
    /// The tokens of the link that the customer has clicked before; `nil` without
    /// one.
    var tokens: CampaignTokens?
    /// The end of the time for an approval, in the account's time and in the
    /// wall's; `nil` for a request that waits without an end.
    var answerUntil: StoreTime?
    var answerDue: WallTime?

    package init(
        device: DeviceIdentifier, identifier: RequestIdentifier, kind: Kind, bundleIdentifier: BundleIdentifier,
        productIdentifier: ProductIdentifier? = nil, quantity: Int = 1, applicationUsername: String? = nil
    ) {
        self.device = device
        self.identifier = identifier
        self.kind = kind
        self.bundleIdentifier = bundleIdentifier
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        status = .open
    }

    /// The quantities that a payment may have (`SKPayment`'s reference: 1 to 10).
    package static let quantities = 1...10

    /// Why a payment can't be shown to the customer, as far as that is known
    /// without an account; `nil` when it can.
    func refusal(product: Product?) -> PurchaseFailure? {
        guard Self.quantities.contains(quantity) else {
            return .invalid("A payment's quantity is 1 to 10, not \(quantity).")
        }
        guard let product else { return unknownProduct }
        if let refusal = discount?.refusal(product: product) ?? code?.refusal(product: product) { return refusal }
        guard product.isOffered else {
            return .notAvailable("\"\(product.productIdentifier)\" is not for sale.")
        }
        if product.kind.isOwnedOnce || product.kind == .autoRenewable, quantity != 1 {
            return .invalid("\"\(product.productIdentifier)\" is bought once: its quantity is 1, not \(quantity).")
        }
        return nil
    }

    var unknownProduct: PurchaseFailure {
        .invalid("\(bundleIdentifier) sells no product \"\(productIdentifier?.rawValue ?? "")\".")
    }

    /// Why a payment is refused to an account; `nil` when it isn't.
    func refusal(product: Product, account: Account) -> PurchaseFailure? {
        if let refusal = refusal(product: product) { return refusal }
        if account.has(.barred) { return .barred }
        if product.isWithoutContract(in: account.storefront) {
            return .notAvailable(
                "The seller of \"\(product.productIdentifier)\" has no contract in force with the store.")
        }
        guard product.isSold(in: account.storefront) else {
            return .notAvailable(
                "\"\(productIdentifier ?? "")\" is not for sale in the store of \(account.storefront.countryCode).")
        }
        return discount?.refusal(product: product, in: account.storefront)
    }

    /// Whether the request fails when it would change nothing about the customer's subscription.
    var refusesRunning: Bool { !acceptsRunning && discount == nil && code == nil }

    /// Whether another person has to approve the payments of this account.
    func needsApproval(of account: Account) -> Bool {
        account.has(.asksToBuy) || simulatesAskToBuy
    }

    /// Makes the request wait for an approval, under the identifier of its
    /// future purchase. It waits no longer than `limit`, if there is one.
    mutating func deferred(
        for account: Account, as transaction: TransactionIdentifier, at now: WallTime, limit: Duration?
    ) {
        status = .deferred
        self.account = account.identifier
        transactionIdentifier = transaction
        deferred = account.time(at: now)
        answerDue = limit.map { now + $0 }
        answerUntil = answerDue.map(account.time)
    }

    /// Whether it waits for an approval, and its time is over.
    func isUnanswered(at now: WallTime) -> Bool {
        guard deferred != nil, let answerDue else { return false }
        return now >= answerDue
    }

    /// Interrupts the request, which fails until the interruption is
    /// resolved; `transaction` is the identifier of its future purchase.
    mutating func interrupted(for account: Account, as transaction: TransactionIdentifier, at now: WallTime) {
        status = .interrupted
        self.account = account.identifier
        transactionIdentifier = transaction
        interrupted = account.time(at: now)
        failure = .interrupted
    }

    /// Ends the request without a purchase.
    mutating func fail(_ failure: PurchaseFailure) {
        status = .failed
        self.failure = failure
        contact = nil
        appliedOffer = nil
        tokens = nil
    }

    /// The failure that the app receives for an interrupted payment, also
    /// after the purchase is made; `nil` when it wasn't interrupted.
    package var failureByInterruption: PurchaseFailure? {
        guard interrupted != nil else { return nil }
        var failure = failure ?? .interrupted
        failure.underlying = .interrupted
        return failure
    }

    /// The status to which the request returns when its payment is declined.
    /// An approved one of an account that has left its family meanwhile has its
    /// failure already: no later family decides about it.
    var statusBeforePayment: Status {
        if interrupted != nil { return .interrupted }
        guard deferred != nil else { return .open }
        return failure == nil ? .deferred : .failed
    }

    /// Checks a request that isn't recorded. A recorded one keeps its answer:
    /// an older version may have allowed its identifier.
    ///
    /// - Throws: ``DomainError`` `invalid` when the identifier isn't 1 to 200
    ///   printable ASCII characters.
    func check() throws {
        // Identifiers are written into the log and must not contain line
        // breaks.
        guard (1...200).contains(identifier.rawValue.utf8.count),
            identifier.rawValue.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw DomainError(.invalid, "A request identifier has 1 to 200 printable ASCII characters.")
        }
    }

    /// The error for an identifier that was used for another request.
    var mismatch: DomainError {
        DomainError(.requestMismatch, "The request identifier \(identifier) was used for something else.")
    }

    /// Whether both requests have the same kind, app, product and quantity. A
    /// redemption asks for no product.
    func asksForTheSame(as other: DeviceRequest) -> Bool {
        kind == other.kind && bundleIdentifier == other.bundleIdentifier
            && (kind == .redemption || productIdentifier == other.productIdentifier) && quantity == other.quantity
    }
}
