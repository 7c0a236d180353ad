// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a product's scheduled prices, and of those that have begun.
struct PricesPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    let app: BundleIdentifier
    let product: ProductIdentifier

    static func path(_ product: ProductIdentifier, of app: BundleIdentifier) -> String {
        "\(ProductPage.path(product, of: app))/prices"
    }

    private var path: String { Self.path(product, of: app) }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let prices = try await visit.service.pricingProduct().prices(of: product, in: app, as: visit.user)
        let words = PriceWords.words(visit.language)
        let mayChange = visit.user.role.may(.editProducts)
        var sections = [
            ConsoleSection(
                heading: words.scheduled, paragraphs: [words.scheduledNote],
                entries: prices.scheduled.map { entry(of: $0, canCancel: mayChange, visit) },
                empty: prices.scheduled.isEmpty ? words.none : nil)
        ]
        if mayChange, prices.product.hasPrice { sections.append(form(prices, visit)) }
        if !prices.begun.isEmpty {
            sections.append(
                ConsoleSection(
                    heading: words.history, entries: prices.begun.map { entry(of: $0, canCancel: false, visit) }))
        }
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(ProductPage.path(product, of: app), [:], prices.product.product.referenceName)
        return model
    }

    private func entry(of change: PriceChange, canCancel: Bool, _ visit: ConnectVisit) -> ConsoleEntry {
        let words = PriceWords.words(visit.language)
        let storefront = change.storefront.flatMap(Storefront.named) ?? .unitedStates
        let price = visit.language.price(Money(milliunits: change.milliunits, currency: storefront.currency))
        let cancel = ConsoleForm.button("cancel", words.cancel, of: "change", change.identifier.rawValue)
        return ConsoleEntry(
            name: words.fill(\.priceOf, ["place": change.storefront ?? words.base, "price": price]),
            details: change.subscribers == .change ? [words.change] : [],
            note: visit.language.date(change.starts), forms: canCancel ? [cancel] : [])
    }

    private func form(_ prices: PricingProduct.Prices, _ visit: ConnectVisit) -> ConsoleSection {
        let words = PriceWords.words(visit.language)
        var fields = [
            visit.field(
                ConsoleField(
                    "country", words.country, value: visit.value("country"), hint: words.countryHint,
                    isRequired: false)),
            visit.field(ConsoleField("price", words.price, value: visit.value("price"), hint: words.priceHint)),
            visit.field(
                ConsoleField(
                    "firstDay", words.firstDay, type: "date", value: visit.value("firstDay"),
                    hint: words.firstDayHint, isRequired: false)),
        ]
        if prices.product.product.plan != nil {
            fields += [
                choice(
                    "subscribers", words.subscribers, [.init("keep", words.keep), .init("change", words.change)], visit),
                choice(
                    "consent", words.consent,
                    [.init("rule", words.rule), .init("needed", words.needed), .init("told", words.informed)],
                    hint: words.ruleHint, visit),
            ]
        }
        return ConsoleSection(
            heading: words.schedule,
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "version", hiddenValue: prices.version)], fields: fields,
                    buttons: [.init(decision: "schedule", label: words.schedule, isPrimary: true)])
            ])
    }

    private func choice(
        _ name: String, _ label: String, _ options: [ConsoleOption], hint: String? = nil,
        _ visit: ConnectVisit
    ) -> ConsoleField {
        visit.field(
            ConsoleField(
                name, label, options: options, chosen: visit.value(name, options.first?.value ?? ""), hint: hint))
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let pricing = try visit.service.pricingProduct()
        switch form.decision {
        case "schedule":
            var values = PriceValues()
            values.country = form["country"]
            values.price = form["price"]
            values.firstDay = form["firstDay"]
            values.subscribers = form["subscribers"]
            values.consent = form["consent"]
            try await pricing.schedule(values, of: product, in: app, version: form["version"], by: visit.user)
        case "cancel":
            try await pricing.cancel(
                PriceChangeIdentifier(form["change"]), of: product, in: app, by: visit.user)
        default: throw form.unknown
        }
        return .visit("\(path)?done=saved")
    }
}
