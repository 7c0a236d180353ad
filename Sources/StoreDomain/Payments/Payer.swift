// SPDX-License-Identifier: Apache-2.0

/// The account that a collection is about to charge, as it is in the
/// transaction that decides about the collection.
///
/// An agreement to pay is older than most of the collections that it allows: a
/// renewal, a retry, the capture of an amount that was authorised a day
/// before, the late answer of a bank, a refund that is taken back. Each of
/// them reads the payer again, by this type alone.
enum Payer: Hashable, Sendable {
    /// The account may be charged.
    case pays(Account)
    /// Its payments, or those of the account that gets the purchase, are
    /// restricted: nothing is charged now.
    case isBarred
    /// No account that has agreed to pay is left.
    case hasLeft

    /// Decides about a payer, and the owner of the purchase; `nil` for a closed
    /// account.
    init(_ payer: Account?, for owner: Account?) {
        guard let payer, let owner else {
            self = .hasLeft
            return
        }
        self = payer.has(.barred) || owner.has(.barred) ? .isBarred : .pays(payer)
    }

    /// Decides about the payer of a subscription's next period. Another account
    /// than the subscriber's pays as long as it is a parent in the subscriber's
    /// family.
    init(_ payer: Account?, renewingFor subscriber: Account, in family: Family?) {
        self.init(payer, for: subscriber)
        guard let payer, payer.identifier != subscriber.identifier else { return }
        if family?.mayDecide(payer.identifier, about: subscriber.identifier) != true { self = .hasLeft }
    }

    /// Whether an account is to be charged.
    func charges(_ account: AccountIdentifier) -> Bool {
        if case .pays(let payer) = self { payer.identifier == account } else { false }
    }
}
