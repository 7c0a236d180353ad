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
    /// A product or a choice with which more is paid, now or later, waits for the
    /// other person if the account has to ask.
    ///
    /// - Throws: ``DomainError``: `underWay`, `invalid`, `priceChanged` when
    ///   the terms aren't those that the customer has confirmed. The sheet stays
    ///   open.
    static func confirming(
        _ request: DeviceRequest, _ product: Product, by account: Account, _ ownership: Ownership,
        _ confirmed: ConfirmedTerms
    ) throws -> PurchaseDecision {
        let terms: PurchaseTerms
        switch try deciding(request, product, for: account, ownership, shown: confirmed.shown) {
        case .success(let allowed): terms = allowed
        case .failure(let refusal): return .refuse(refusal)
        }
        if terms.raisesPayments, request.needsApproval(of: account) { return .waitForApproval(account) }
        return terms.charges && account.has(.interruptsPurchases) ? .interrupt(account) : .buy(terms)
    }

    /// The terms on which a request can be bought, or why it is refused. They
    /// are compared with those that were `shown`, if they are given.
    private static func deciding(
        _ request: DeviceRequest, _ product: Product, for account: Account, _ ownership: Ownership,
        shown: AgreedTerms?
    ) throws -> Result<PurchaseTerms, PurchaseFailure> {
        if let refusal = request.refusal(product: product, account: account) ?? ownership.refusal {
            return .failure(refusal)
        }
        let terms = try PurchaseTerms(of: request, product, for: account, ownership)
        try shown?.check(ShownTerms(terms))
        let isRefused = request.refusesRunning && terms.subscription?.changesNothing == true
        return isRefused ? .failure(.subscribed) : .success(terms)
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
        switch try deciding(request, product, for: account, ownership, shown: nil) {
        case .failure(let refusal): return .refuse(refusal)
        case .success(let terms):
            // The product is given again for nothing: that would use up the code.
            if request.code != nil, terms.owned != nil { return .refuse(.ownedAlready) }
            return request.refusal(of: terms).map(PurchaseDecision.refuse) ?? .buy(terms)
        }
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
