// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain

/// The terms that a form brings back from its page.
extension CustomerForm {
    /// The terms that were on the page, as far as the form has them.
    ///
    /// - Throws: `StoreFailure` `invalid` for a text that no page has.
    func agreed() throws -> AgreedTerms {
        AgreedTerms(
            price: try shownPrice(), change: try shownChange(), offer: offer, then: then,
            bonus: share == "yes" ? bonus : nil)
    }

    /// The terms that were on a page which has all of them: a form without the
    /// terms of a subscription is that of a page which hasn't shown them.
    ///
    /// - Throws: `StoreFailure` `invalid` for a text that no page has, and
    ///   without a price.
    func agreedInFull() throws -> AgreedTerms {
        var agreed = try agreed()
        guard agreed.price != nil else { throw Self.noPrice }
        guard agreed.change != nil || then?.isEmpty != false else { throw Self.noChange }
        agreed.offer = offer ?? ""
        agreed.then = then ?? ""
        return agreed
    }

    /// The terms of a choice that were on the page; `nil` for a form without
    /// terms.
    func agreed(to choice: ChoiceTerms.Choice) -> AgreedTerms? {
        terms.map { terms in
            let shown = ChoiceTerms(terms)[choice]
            return AgreedTerms(price: nil, offer: shown?.offer ?? "", then: shown?.then ?? "")
        }
    }

    private static let noPrice = StoreFailure(
        .invalid, "shown is a price as the page has it: thousandths and a currency, 990 USD.")

    private static let noChange = StoreFailure(
        .invalid, "change is subscribe, upgrade, choose or keep, as the page has it.")

    /// The price that was on the page; `nil` for a form without one.
    ///
    /// - Throws: `StoreFailure` `invalid` for a text that isn't a price in
    ///   the page's format.
    func shownPrice() throws -> Money? {
        guard let shown, !shown.isEmpty else { return nil }
        let parts = shown.split(separator: " ")
        guard parts.count == 2, parts[1].utf8.count == 3,
            let milliunits = try? Milliunits.read(parts[0], field: "shown")
        else { throw Self.noPrice }
        return Money(milliunits: milliunits, currency: String(parts[1]))
    }

    /// The consequence that was on the page; `nil` for a form without one.
    private func shownChange() throws -> PlanChange? {
        guard let change, !change.isEmpty else { return nil }
        guard let known = PlanChange(rawValue: change) else { throw Self.noChange }
        return known
    }
}

extension ShownTerms {
    /// The price for a form, as `milliunits currency`.
    var shown: String { "\(price.milliunits) \(price.currency)" }
}

/// The terms of all choices for a subscription in one field of its form: each
/// button of the form makes one of them.
struct ChoiceTerms {
    /// A choice by the name that it has in the field.
    struct Choice: Hashable {
        fileprivate let name: String

        /// The product of the next period.
        static func product(_ product: ProductIdentifier) -> Choice {
            Choice(name: "product \(ChoiceTerms.escaped(product.rawValue))")
        }
        /// The renewal with the product that it has.
        static let renewal = Choice(name: "renewal")
        /// The agreement to a higher price.
        static let agreement = Choice(name: "agreement")
    }

    private(set) var text = ""

    /// Reads a field.
    init(_ text: String = "") {
        self.text = text
    }

    /// The values of ``ShownTerms`` of a choice.
    subscript(_ choice: Choice) -> (offer: String, then: String)? {
        guard let entry = text.split(separator: "; ").first(where: { $0.hasPrefix("\(choice.name)=") }) else {
            return nil
        }
        let values = entry.dropFirst(choice.name.count + 1).split(separator: "=", omittingEmptySubsequences: false)
        return (values.dropFirst().first?.removingPercentEncoding ?? "", String(values.first ?? ""))
    }

    /// Adds a choice: its name, the later prices, and the offer if there is one.
    mutating func add(_ choice: Choice, _ shown: ShownTerms) {
        let offer = shown.offer.isEmpty ? "" : "=\(Self.escaped(shown.offer))"
        text += "\(text.isEmpty ? "" : "; ")\(choice.name)=\(shown.then)\(offer)"
    }

    /// A text of a seller without the characters that divide the field.
    fileprivate static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: "%=;").inverted) ?? ""
    }
}
