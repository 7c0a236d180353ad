// SPDX-License-Identifier: Apache-2.0

/// The changes that bring the purchases, which one account has from another,
/// into agreement with those that the other one shares now. It is made from values
/// alone; ``SharingPurchases`` loads them and saves the changes.
struct SharingDecision: Hashable, Sendable {
    /// A purchase that an account has from another member of its family.
    struct Share: Hashable, Sendable {
        /// The purchase of the account that has it.
        var purchase: Purchase
        /// The purchase of the account that shares it; `nil` when it doesn't
        /// exist any more.
        var source: Purchase?
        /// Whether it was taken away from the account, which doesn't get it
        /// again.
        var isWithdrawn = false
    }

    /// The purchases to share, oldest first.
    var begun: [Purchase]
    /// The shares to revoke.
    var ended: [Purchase]
    /// The shares whose period has changed, with its new values.
    var changed: [Purchase]

    /// Compares the purchases that an account shares at a moment with those
    /// that the other one has or had from it, oldest first. `areFamily` is
    /// whether both are in one family.
    ///
    /// A share ends when the accounts aren't in one family any more, when the
    /// purchase was revoked, and when it isn't offered any more. A period that is
    /// over ends with a revoked one only. It is shared only after an earlier
    /// one of the subscription: so the account gets every period, also when the
    /// clock is moved past some of them.
    init(offered: [Purchase], held: [Share], areFamily: Bool, at now: StoreTime) {
        let valid = held.filter { $0.purchase.revoked == nil }
        let known = Set(valid.compactMap(\.purchase.share?.transaction))
        let withdrawn = Set(held.filter(\.isWithdrawn).compactMap(\.source?.originalTransactionIdentifier))
        begun =
            areFamily
            ? offered.filter { purchase in
                guard !known.contains(purchase.transactionIdentifier), purchase.isShareable,
                    !withdrawn.contains(purchase.originalTransactionIdentifier)
                else { return false }
                return purchase.runs(at: now) || Self.follows(purchase, held)
            }.sorted { ($0.date, $0.transactionIdentifier) < ($1.date, $1.transactionIdentifier) } : []
        ended = []
        changed = []
        let stays = Set(areFamily ? offered.map(\.transactionIdentifier) : [])
        for share in valid {
            guard let source = share.source, source.revoked == nil else {
                ended.append(share.purchase)
                continue
            }
            guard areFamily, !source.runs(at: now) || stays.contains(source.transactionIdentifier) else {
                if share.purchase.runs(at: now) { ended.append(share.purchase) }
                continue
            }
            guard let term = source.term,
                term.expires != share.purchase.term?.expires || term.isUpgraded != share.purchase.term?.isUpgraded
            else { continue }
            var purchase = share.purchase
            purchase.term?.expires = term.expires
            purchase.term?.isUpgraded = term.isUpgraded
            changed.append(purchase)
        }
    }

    /// Whether a period comes after the last one of its subscription that the
    /// other account has. It doesn't when that one was revoked.
    private static func follows(_ purchase: Purchase, _ held: [Share]) -> Bool {
        let last = held.last { $0.source?.originalTransactionIdentifier == purchase.originalTransactionIdentifier }
        guard let last, last.purchase.revoked == nil, let source = last.source else { return false }
        return purchase.date >= source.date
    }

    /// The moment after which the periods that are offered end: those of
    /// before can't be shared any more.
    static func beginning(of held: [Share], at now: StoreTime) -> StoreTime {
        let last = Dictionary(
            held.compactMap { share in
                share.source?.term.map { (share.source?.originalTransactionIdentifier, $0.expires) }
            }, uniquingKeysWith: { $1 })
        return last.values.min().map { min($0, now) } ?? now
    }
}

extension Purchase {
    /// Whether it is no period that is over.
    fileprivate func runs(at now: StoreTime) -> Bool { term.map { $0.expires > now } ?? true }

    /// Whether its account shares it, if the seller shares the product.
    fileprivate var isShareable: Bool {
        guard share == nil, revoked == nil else { return false }
        return kind == .autoRenewable || (kind == .nonConsumable && isOriginal)
    }

    /// Makes the purchase of an account that gets another one's from its
    /// family. It costs nothing, and no device has asked for it.
    ///
    /// `first` is the first period that the account has of this subscription.
    init(
        sharing source: Purchase, with account: AccountIdentifier, as identifier: TransactionIdentifier,
        first: Purchase?, at now: StoreTime
    ) {
        self = source
        self.account = account
        transactionIdentifier = identifier
        originalTransactionIdentifier =
            first?.originalTransactionIdentifier ?? OriginalTransactionIdentifier(identifier)
        date = source.term == nil ? now : source.date
        originalDate = first?.originalDate ?? date
        applicationUsername = nil
        price.milliunits = 0
        device = nil
        requestIdentifier = nil
        isInReceipt = true
        term?.webOrder = WebOrderIdentifier(identifier.rawValue)
        share = Share(owner: source.account, transaction: source.transactionIdentifier)
    }
}
