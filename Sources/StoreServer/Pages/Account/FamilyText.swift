// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain

/// Sentences about a family and its requests to buy, in a language.
struct FamilyText {
    let language: PageLanguage
    let words: FamilyWords

    init(_ language: PageLanguage) {
        self.language = language
        words = .words(language)
    }

    /// The result of an approval.
    func approved(_ request: DeviceRequest) -> PageMessage {
        switch request.status {
        case .done: PageMessage(text: words.approved)
        case .failed: refused(words.refusedNow, request.failure)
        default: PageMessage(text: words.underWay)
        }
    }

    /// The name of a role.
    func role(_ role: FamilyMember.Role) -> String {
        switch role {
        case .organiser: words.organiser
        case .parent: words.parent
        case .child: words.child
        default: words.adult
        }
    }

    /// A sentence with the reason behind it, in English if it has no sentence in
    /// the language.
    private func refused(_ sentence: String, _ failure: PurchaseFailure?) -> PageMessage {
        let reason = failure.flatMap { CustomerRefusal($0.code) }
        guard let reason, let sentences = FailureSentences.sentences(language) else {
            return PageMessage(text: sentence, original: failure?.message)
        }
        return PageMessage(text: "\(sentence) \(sentences[reason])")
    }

    /// The consequence of an approval, for the parent who reads it.
    func outcome(_ request: ChildRequest) -> PageMessage {
        switch request.outcome {
        case .buys(_, .some):
            PageMessage(text: words.fill(\.subscription, ["child": request.child.email.isolated]))
        case .buys(let shown, nil) where shown.price.milliunits == 0: PageMessage(text: words.free)
        case .buys(let shown, nil): PageMessage(text: words.fill(\.pay, ["price": language.price(shown.price)]))
        case .fails(let failure): refused(words.refused, failure)
        case .waits: PageMessage(text: words.waits)
        }
    }

    /// When the request was made, and how long it waits.
    func time(_ request: ChildRequest) -> String {
        let asked = words.fill(\.asked, ["date": language.date(request.asked)])
        guard let until = request.until else { return asked }
        return "\(asked) \(words.fill(\.until, ["date": language.date(until)]))"
    }

    /// The terms of a subscription in paragraphs, as the sheet says them to the
    /// child; none for other products.
    func terms(_ request: ChildRequest, _ languages: [String]) -> [TermsParagraph] {
        guard case .buys(_, let subscription?) = request.outcome else { return [] }
        let text = TermsText(TermsLanguage(LanguagePreference(languages, in: request.storefront)))
        return text.paragraphs(subscription).map { TermsParagraph(language: text.language.rawValue, text: $0) }
    }

    /// The text of the button that approves: with the price if it is paid now.
    func approve(_ shown: ShownTerms) -> String {
        let isPaidNow = shown.price.milliunits > 0 && shown.change?.charges != false
        return isPaidNow ? words.fill(\.approveFor, ["price": language.price(shown.price)]) : words.approve
    }

    /// The product with its quantity.
    func title(_ request: ChildRequest, _ languages: [String]) -> String {
        let name =
            request.product.map { SubscriptionText.title($0, in: request.storefront, languages) }
            ?? request.productIdentifier.rawValue
        return request.quantity == 1 ? name : "\(request.quantity) × \(name)"
    }
}
