// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The fields of the form of a new offer.
struct OfferFields {
    private let visit: ConnectVisit
    private let words: OfferWords
    private let product: Product
    private let kind: Product.Offer.Kind

    init(_ visit: ConnectVisit, _ product: Product, _ kind: Product.Offer.Kind) {
        self.visit = visit
        self.product = product
        self.kind = kind
        words = .words(visit.language)
    }

    var all: [ConsoleField] { names + terms + customers }

    private var names: [ConsoleField] {
        guard kind != .introductory else { return [] }
        let name = kind == .code ? words.codeName : words.identifier
        let identifier = text("identifier", name, hint: words.identifierHint)
        return kind == .code ? [identifier] : [text("reference", words.reference), identifier]
    }

    private var terms: [ConsoleField] {
        let price = [
            text("price", words.price, hint: words.priceHint, isRequired: false),
            visit.field(ConsoleField("prices", words.prices, lines: visit.value("prices"), hint: words.pricesHint)),
        ]
        guard let plan = product.plan else {
            return [choice("mode", words.mode, [.init("free", words.free), .init("payUpFront", words.lower)])] + price
        }
        let periods = OfferValues.freePeriods.compactMap { text in
            SubscriptionPeriod(iso8601: text).map { ConsoleOption(text, visit.language.length($0)) }
        }
        let most = OfferValues.mostPeriods(of: plan.period)
        let hint = words.fill(
            \.periodsHint, ["most": String(most), "period": visit.language.length(plan.period)])
        return [
            choice(
                "mode", words.mode,
                [.init("free", words.free), .init("payAsYouGo", words.asYouGo), .init("payUpFront", words.upFront)]),
            choice("period", words.period, periods, hint: words.periodHint, usual: "P1M"),
            text("periods", words.periods, hint: hint, isRequired: false),
        ] + price
    }

    private var customers: [ConsoleField] {
        switch kind {
        case .code where product.plan != nil:
            return [
                yesOrNo("new", words.new, usual: "yes"), yesOrNo("existing", words.existing, usual: "yes"),
                yesOrNo("expired", words.expired, usual: "yes"), yesOrNo("stackable", words.stackable, usual: "no"),
            ]
        case .winBack:
            return [
                text("paidMonths", words.paidMonths, isRequired: false),
                text("leastLapsedMonths", words.leastLapsedMonths, isRequired: false),
                text("mostLapsedMonths", words.mostLapsedMonths, isRequired: false),
                text("waitMonths", words.waitMonths, isRequired: false),
                yesOrNo("priority", words.priority, usual: "no"),
            ]
        default: return []
        }
    }

    private func text(_ name: String, _ label: String, hint: String? = nil, isRequired: Bool = true) -> ConsoleField {
        visit.field(ConsoleField(name, label, value: visit.value(name), hint: hint, isRequired: isRequired))
    }

    private func choice(
        _ name: String, _ label: String, _ options: [ConsoleOption], hint: String? = nil,
        usual: String? = nil
    ) -> ConsoleField {
        visit.field(
            ConsoleField(
                name, label, options: options, chosen: visit.value(name, usual ?? options.first?.value ?? ""),
                hint: hint))
    }

    private func yesOrNo(_ name: String, _ label: String, usual: String) -> ConsoleField {
        let words = ProductWords.words(visit.language)
        var field = choice(name, label, words.yesOrNo, usual: usual)
        if name == "new", visit.problems.contains(where: { $0.field == "eligibility" }) {
            field.problem = self.words.noCustomers
        }
        return field
    }

    /// The values of a sent form.
    static func values(_ form: ConnectForm) -> OfferValues {
        var values = OfferValues(kind: form["kind"])
        values.identifier = form["identifier"]
        values.referenceName = form["reference"]
        values.mode = form["mode"]
        values.period = form["period"]
        values.periods = form["periods"]
        values.price = form["price"]
        values.otherPrices = form["prices"]
        values.eligibility = Set(["new", "existing", "expired"].filter { form[$0] == "yes" })
        values.isStackable = form["stackable"] == "yes"
        values.isHighPriority = form["priority"] == "yes"
        values.paidMonths = form["paidMonths"]
        values.leastLapsedMonths = form["leastLapsedMonths"]
        values.mostLapsedMonths = form["mostLapsedMonths"]
        values.waitMonths = form["waitMonths"]
        return values
    }
}
