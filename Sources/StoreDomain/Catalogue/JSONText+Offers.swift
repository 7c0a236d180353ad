// SPDX-License-Identifier: Apache-2.0

import Foundation

// The offers of a configuration file's product.
extension JSONText {
    /// The keys of the lists of offers.
    static let offerLists: [Product.Offer.Kind: String] = [
        .promotional: ConfigurationKeys.promotionalOffers, .code: ConfigurationKeys.codeOffers,
        .winBack: ConfigurationKeys.winBackOffers,
    ]

    /// Writes the values in which the offers of a product differ from those of
    /// the file.
    mutating func editOffers(from old: Product, to new: Product) {
        let introduction = OfferEdit(from: old, to: new, .introductory)
        if introduction.old != introduction.new {
            // Newer files have the offer in a list, and also in its old place.
            let (key, list) = (ConfigurationKeys.introductoryOffer, ConfigurationKeys.introductoryOffers)
            let offers = self[list]
            if let offers { self[list] = .array(introduction.applied(to: offers.elements)) }
            let single = self[key] ?? .scalar("null")
            if offers == nil || single != .scalar("null") {
                self[key] = introduction.applied(to: [single]).first ?? .scalar("null")
            }
        }
        for (kind, key) in Self.offerLists {
            let edit = OfferEdit(from: old, to: new, kind)
            if edit.old != edit.new { self[key] = .array(edit.applied(to: self[key]?.elements ?? [])) }
        }
    }
}

/// The edit of a file's offers of one kind. The objects of the file stay, with
/// the values and keys that the store doesn't change.
private struct OfferEdit {
    private let kind: Product.Offer.Kind
    private let product: Product
    /// The offers of the file, as far as the store reads them.
    let old: [Product.Offer]
    let new: [Product.Offer]

    init(from old: Product, to new: Product, _ kind: Product.Offer.Kind) {
        self.kind = kind
        product = new
        self.old = old.offers.filter { $0.kind == kind }
        self.new = new.offers.filter { $0.kind == kind }
    }

    /// The objects of a file after the edit, in the order of the new offers.
    /// An offer that the store doesn't read keeps its place: one of another
    /// billing plan, and the second one of a name.
    func applied(to elements: [JSONText]) -> [JSONText] {
        var known: [String: JSONText] = [:]
        for element in elements {
            guard let name = name(of: element), known[name] == nil else { continue }
            known[name] = element
        }
        var edited = new.map { offer in known[offer.identifier].map { self.edited($0, to: offer) } ?? text(of: offer) }
        var placed: Set<String> = []
        var result: [JSONText] = []
        for element in elements {
            guard let name = name(of: element) else {
                if case .object = element { result.append(element) }
                continue
            }
            guard new.contains(where: { $0.identifier == name }) else { continue }
            result.append(placed.insert(name).inserted ? edited.removeFirst() : element)
        }
        return result + edited
    }

    /// The name of an offer, as the import reads it; `nil` for one that the
    /// store doesn't read.
    private func name(of element: JSONText) -> String? {
        guard case .object = element, ["BILLED_UPFRONT", nil].contains(element["billingPlanType"]?.string)
        else { return nil }
        return switch kind {
        case .introductory: ""
        case .code: element["offerID"]?.string ?? element["referenceName"]?.string
        case .promotional, .winBack: element["offerID"]?.string
        }
    }

    /// Sets the values of an object in which its offer differs from the new
    /// one.
    private func edited(_ element: JSONText, to offer: Product.Offer) -> JSONText {
        guard let before = old.first(where: { $0.identifier == offer.identifier }) else { return text(of: offer) }
        let (source, target) = (members(of: before), members(of: offer))
        var element = element
        for key in Set(source.keys).union(target.keys).sorted() where source[key] != target[key] {
            element[key] = target[key]
        }
        return element
    }

    private func text(of offer: Product.Offer) -> JSONText { .sorted(members(of: offer)) }

    /// The keys of an offer with their values.
    private func members(of offer: Product.Offer) -> [String: JSONText] {
        var members: [String: JSONText] = [
            "internalID": .internalIdentifier(of: "\(offer.kind.rawValue) \(offer.identifier)"),
            "paymentMode": .string(offer.mode.rawValue),
        ]
        if product.plan != nil {
            members["numberOfPeriods"] = .scalar("\(offer.periods)")
            members["subscriptionPeriod"] = .string(offer.period.iso8601)
        }
        if offer.mode != .free { members["displayPrice"] = .string(offer.milliunits.decimal) }
        let terms = storeTerms(of: offer)
        if !terms.isEmpty { members[ConfigurationKeys.storeTerms] = .sorted(terms) }
        if offer.kind != .introductory {
            let name = offer.referenceName.isEmpty ? offer.identifier : offer.referenceName
            members["referenceName"] = .string(name)
            if offer.kind != .code || name != offer.identifier { members["offerID"] = .string(offer.identifier) }
        }
        switch offer.kind {
        case .code where product.plan != nil:
            members["eligibility"] = .array(offer.eligibility.sorted().map { .string($0.rawValue) })
            members["isStackable"] = .flag(offer.isStackable)
        case .winBack:
            members["isEligible"] = .flag(offer.isEligible)
            if offer.priority == .high { members["priority"] = .scalar("1") }
        default: break
        }
        return members
    }

    /// The values that Xcode has no keys for.
    private func storeTerms(of offer: Product.Offer) -> [String: JSONText] {
        var terms: [String: JSONText] = [:]
        if !offer.prices.isEmpty { terms["prices"] = .prices(offer.prices) }
        if let conditions = offer.conditions {
            var numbers = [
                "paidMonths": conditions.paidMonths, "leastLapsedMonths": conditions.leastLapsedMonths,
                "mostLapsedMonths": conditions.mostLapsedMonths,
            ]
            numbers["waitMonths"] = conditions.waitMonths
            terms["conditions"] = .sorted(numbers.mapValues { .scalar("\($0)") })
        }
        return terms
    }
}
