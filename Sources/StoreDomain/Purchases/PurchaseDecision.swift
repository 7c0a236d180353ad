// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The decision about a payment that a customer has confirmed, or that an
/// approval or a resolved interruption lets continue. It is made from values
/// alone; ``Buying`` loads them and saves the decision.
enum PurchaseDecision: Hashable, Sendable {
    /// The request fails: the product was withdrawn, or isn't sold to the
    /// account.
    case refuse(PurchaseFailure)
    /// Another person has to approve first (Ask to Buy).
    case waitForApproval(Account)
    /// The customer has to act in the store first.
    case interrupt(Account)
    /// The purchase is made on these terms.
    case buy(PurchaseTerms)

    /// Decides about a confirmed payment sheet.
    ///
    /// - Throws: ``DomainError``: `underWay`, `invalid`, `priceChanged` when
    ///   the price, or the consequence for a subscription, isn't the one that
    ///   the customer has confirmed. The sheet stays open.
    static func confirming(
        _ request: DeviceRequest, _ product: Product, by account: Account, _ ownership: Ownership,
        _ confirmed: ConfirmedTerms
    ) throws -> PurchaseDecision {
        if let refusal = request.refusal(product: product, account: account) { return .refuse(refusal) }
        if let refusal = ownership.refusal { return .refuse(refusal) }
        let terms = try PurchaseTerms(of: request, product, for: account, ownership)
        try confirmed.check(terms)
        if request.refusesRunning, terms.subscription?.changesNothing == true { return .refuse(.subscribed) }
        guard terms.charges else { return .buy(terms) }
        if request.needsApproval(of: account) { return .waitForApproval(account) }
        return account.has(.interruptsPurchases) ? .interrupt(account) : .buy(terms)
    }

    /// Whether the payment waits for another person, or for its customer.
    var waits: Bool {
        switch self {
        case .waitForApproval, .interrupt: true
        case .refuse, .buy: false
        }
    }

    /// Whether the request fails.
    var refuses: Bool {
        if case .refuse = self { true } else { false }
    }

    /// Decides about a payment that waited. One whose customer has confirmed
    /// other terms of a subscription on a sheet is refused, and so is one whose
    /// code the account may not use any more. `account` is `nil` when the
    /// request's account is closed.
    ///
    /// - Throws: ``DomainError``: `underWay`, `invalid`. The request keeps
    ///   waiting.
    static func resuming(
        _ request: DeviceRequest, _ product: Product?, for account: Account?, _ ownership: Ownership
    ) throws -> PurchaseDecision {
        guard let account else { return .refuse(.accountClosed) }
        guard let product else { return .refuse(request.unknownProduct) }
        if let refusal = request.refusal(product: product, account: account) { return .refuse(refusal) }
        if let refusal = ownership.refusal { return .refuse(refusal) }
        // The product is given again for nothing: that would use up the code.
        if request.code != nil, case .owned = ownership { return .refuse(.ownedAlready) }
        let terms = try PurchaseTerms(of: request, product, for: account, ownership)
        if let refusal = request.refusal(of: terms) { return .refuse(refusal) }
        if request.refusesRunning, terms.subscription?.changesNothing == true { return .refuse(.subscribed) }
        return .buy(terms)
    }

    /// Decides about a payment that waits for an approval when its account has got the product by another one: it is
    /// given again. One for the running subscription is answered as on a sheet; one with an offer keeps waiting, which
    /// is `nil`.
    static func settling(
        _ request: DeviceRequest, _ product: Product, for account: Account, _ ownership: Ownership
    ) throws -> PurchaseDecision? {
        guard product.plan != nil else { return try resuming(request, product, for: account, ownership) }
        guard request.discount == nil, request.code == nil, case .subscribed(let terms) = ownership,
            terms.changesNothing
        else { return nil }
        return request.refusesRunning
            ? .refuse(.subscribed) : .buy(try PurchaseTerms(of: request, product, for: account, ownership))
    }

    /// The status of the sheet after the decision.
    var sheetStatus: Sheet.Status {
        switch self {
        case .refuse: .cancelled
        case .waitForApproval, .interrupt: .confirmed
        case .buy(let terms): terms.price.milliunits == 0 ? .confirmed : .processing
        }
    }
}
