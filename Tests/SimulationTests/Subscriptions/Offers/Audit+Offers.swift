// SPDX-License-Identifier: Apache-2.0

/// Checks of offers, of codes and of prices that rise.
extension Audit {
    func offersAreUsedOnce() {
        guard world.sellsOffers, world.agreements == nil else { return }
        var given: [String] = []
        for subscription in books.subscriptions {
            let isInRealTime = world.account(of: subscription)?.wasHurried == false
            let history = PriceHistory(subscription, isInRealTime: isInRealTime)
            history.mistakes.forEach(witness.complain)
            if history.introductions > 1 {
                witness.complain("\(subscription.original) has had \(history.introductions) introductory offers")
            }
            given += history.given.map { "\(subscription.bundle) \($0) for \(subscription.account)" }
        }
        codesAreCounted()
        everyRedemptionGives(given)
    }

    /// Checks that a code has a use for each redemption, and no more than its
    /// limit.
    private func codesAreCounted() {
        let redemptions = Dictionary(grouping: books.codes.redemptions, by: \.hash)
        for code in books.codes.codes {
            let count = redemptions[code.hash]?.count ?? 0
            if code.uses != count {
                witness.complain("the code \(code.hash.prefix(6)) has \(code.uses) uses and \(count) redemptions")
            }
            if max(code.uses, count) > code.limit {
                witness.complain("the code \(code.hash.prefix(6)) was redeemed \(count) times")
            }
        }
    }

    /// Checks that each redemption has led to one offer, and each offer of a
    /// code has a redemption. One that waits for a person has led to nothing
    /// yet.
    private func everyRedemptionGives(_ given: [String]) {
        var due: [String: Int] = [:]
        for redemption in books.codes.redemptions {
            guard let transaction = redemption.transaction else {
                if !books.codes.waiting.contains(redemption.number) {
                    witness.complain("the redemption \(redemption.number) of \(redemption.offer) has led to nothing")
                }
                continue
            }
            due["\(redemption.offer) for \(redemption.account)", default: 0] += 1
            if !books.charges.contains(where: { $0.transaction == transaction && $0.account == redemption.account }) {
                witness.complain("the redemption \(redemption.number) has led to \(transaction), which wasn't sold")
            }
        }
        let gifts = given.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        for offer in Set(due.keys).union(gifts.keys).sorted() {
            let (redeemed, got) = (due[offer, default: 0], gifts[offer, default: 0])
            if redeemed != 1 || got != 1 {
                witness.complain("\(offer): redeemed \(redeemed) times, and given \(got) times")
            }
        }
    }
}
