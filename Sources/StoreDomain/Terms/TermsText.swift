// SPDX-License-Identifier: Apache-2.0

/// The terms of a subscription in the sentences of a language, as the sheet
/// says them before it is bought, or before its price rises.
package struct TermsText {
    package var language: TermsLanguage
    private let words: TermsWords

    package init(_ language: TermsLanguage) {
        self.language = language
        words = language.words
    }

    /// The terms in paragraphs.
    package func paragraphs(_ terms: SubscriptionTerms) -> [String] {
        sentences(terms).map { $0.compactMap { $0 }.joined(separator: words.separator) }
    }

    private func sentences(_ terms: SubscriptionTerms) -> [[String?]] {
        let renewal = TermsWords.fill(words.renewal, ["page": language.subscriptionsPage])
        let first = rates(terms) + [period(terms)]
        let offerBegins = terms.offer?.number == 1 ? words.offerBegins : nil
        switch terms.change {
        case .subscribe: return [first, [renewal]]
        case .upgrade:
            let givenBack = terms.givenBack.map { TermsWords.fill(words.givenBack, ["price": language.price($0)]) }
            return [first, [words.replaces, givenBack], [renewal]]
        case .choose:
            let begins = terms.paidUntil.map { TermsWords.fill(words.begins, ["date": language.date($0)]) }
            return [rates(terms) + [begins, words.nothingNow, offerBegins], [renewal]]
        case .keep:
            let owned = terms.paidUntil.map { TermsWords.fill(words.ownedUntil, ["date": language.date($0)]) }
            return [
                rates(terms) + [owned ?? words.owned, words.nothingNow, offerBegins],
                [terms.state?.renews == true ? words.staysOn : words.turnedOn],
                [renewal],
            ]
        }
    }

    /// The rate or the offer, and the higher price that follows.
    private func rates(_ terms: SubscriptionTerms) -> [String?] {
        guard let increase = terms.increase else { return [rate(terms)] }
        let rises = self.rises(
            from: language.rate(increase.old, terms.plan.period), to: language.rate(increase.new, terms.plan.period),
            increase.applies)
        // The rate after the offer is the higher one if that applies then.
        guard terms.offer != nil else { return [rises] }
        return terms.firstPrice == increase.new ? [rate(terms)] : [rate(terms), rises]
    }

    private func rises(from old: String, to new: String, _ applies: StoreTime) -> String {
        TermsWords.fill(words.priceRises, ["old": old, "new": new, "date": language.date(applies)])
    }

    /// `4.99 USD per month.`, or the offer and when that rate begins.
    private func rate(_ terms: SubscriptionTerms) -> String {
        let rate = language.rate(terms.firstPrice, terms.plan.period)
        guard let offer = terms.offer, let end = terms.offerEnd else {
            return TermsWords.fill(words.regular, ["rate": rate])
        }
        return TermsWords.fill(
            words.offered, ["offer": offers(offer), "rate": rate, "date": language.date(end)])
    }

    /// The offer, and the one of a code that follows an introductory offer.
    package func offers(_ offer: AppliedOffer) -> String {
        offer.following.map(self.offer).reduce(self.offer(offer)) { first, second in
            TermsWords.fill(words.sequence, ["first": first, "second": second])
        }
    }

    /// The offer; of periods that are paid one by one, those that are left.
    private func offer(_ offer: AppliedOffer) -> String {
        let length = language.length(offer.length)
        switch offer.mode {
        case .free: return TermsWords.fill(words.free, ["length": length])
        case .payUpFront:
            return TermsWords.fill(words.upFront, ["price": language.price(offer.price), "length": length])
        case .payAsYouGo:
            let left = SubscriptionPeriod(offer.period.count * (offer.periods - offer.number + 1), offer.period.unit)
            return TermsWords.fill(
                words.eachPeriod,
                ["rate": language.rate(offer.price, offer.period), "length": language.length(left)])
        }
    }

    private func period(_ terms: SubscriptionTerms) -> String? {
        terms.paidPeriod().map {
            TermsWords.fill(words.firstPeriod, ["start": language.date($0.start), "end": language.date($0.end)])
        }
    }

    /// The higher price of a subscription in paragraphs, as the sheet says it
    /// before the customer agrees.
    package func paragraphs(_ increase: PendingPriceIncrease) -> [String] {
        func rate(_ price: Money) -> String {
            increase.product.plan.map { language.rate(price, $0.period) } ?? language.price(price)
        }
        let rises = self.rises(from: rate(increase.oldPrice), to: rate(increase.newPrice), increase.applies)
        return ["\(rises)\(words.separator)\(words.nothingNow)", words.endsUnlessAgreed]
    }

    /// The offer of a longer period for a contact; `nil` when there is none.
    package func contact(_ terms: SubscriptionTerms, app: String) -> String? {
        guard let bonus = terms.contactBonus, let period = terms.paidPeriod(bonus: bonus) else { return nil }
        return TermsWords.fill(
            words.contact, ["app": app, "length": language.length(bonus), "end": language.date(period.end)])
    }
}
