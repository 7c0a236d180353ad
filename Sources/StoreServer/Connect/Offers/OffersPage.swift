// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a product's offers, on which offers are added and removed. The
/// address has the kind of a new one, which decides the fields.
struct OffersPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    let app: BundleIdentifier
    let product: ProductIdentifier

    static func path(_ product: ProductIdentifier, of app: BundleIdentifier) -> String {
        "\(ProductPage.path(product, of: app))/offers"
    }

    private var path: String { Self.path(product, of: app) }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let found = try await visit.service.appReader.product(product, of: app, as: visit.user)
        let words = OfferWords.words(visit.language)
        var sections = OfferValues.kinds(of: found.product).compactMap { list($0, found, visit) }
        if found.product.offers.isEmpty { sections = [ConsoleSection(empty: words.none)] }
        if visit.user.role.may(.manageOffers) {
            // The form of a chosen kind is above the list.
            let form = add(found, visit)
            sections.insert(form, at: form.forms.isEmpty ? sections.endIndex : 0)
            sections.append(
                ConsoleSection(
                    heading: words.codes, paragraphs: [words.codesNote],
                    links: [PageLink(CodesPage.path(app), ["product": product.rawValue], words.codesLink)]))
        }
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(ProductPage.path(product, of: app), [:], found.product.referenceName)
        return model
    }

    private func kindName(_ kind: Product.Offer.Kind, _ visit: ConnectVisit) -> String {
        ValueWords.words(visit.language).name(kind)
    }

    /// The offers of a kind; `nil` when there is none.
    private func list(
        _ kind: Product.Offer.Kind, _ found: ProductRegistration, _ visit: ConnectVisit
    ) -> ConsoleSection? {
        let words = OfferWords.words(visit.language)
        let offers = found.product.offers.filter { $0.kind == kind }
        guard !offers.isEmpty else { return nil }
        return ConsoleSection(
            heading: kindName(kind, visit),
            entries: offers.map { offer in
                var details = words.details(offer, found.product, visit.language)
                // An introductory offer has no name: its terms are in its place.
                let name = offer.identifier.isEmpty ? details.removeFirst() : offer.identifier
                let hidden = [
                    ConsoleForm.Hidden(hiddenName: "kind", hiddenValue: kind.rawValue),
                    ConsoleForm.Hidden(hiddenName: "identifier", hiddenValue: offer.identifier),
                    ConsoleForm.Hidden(hiddenName: "version", hiddenValue: String(found.version)),
                ]
                let remove = ConsoleForm.Button(decision: "remove", label: words.remove, isGrave: true)
                return ConsoleEntry(
                    name: ChangeList.shortened(name), details: details,
                    forms: visit.user.role.may(.manageOffers) ? [ConsoleForm(hidden: hidden, buttons: [remove])] : [])
            })
    }

    private func add(_ found: ProductRegistration, _ visit: ConnectVisit) -> ConsoleSection {
        let words = OfferWords.words(visit.language)
        let kinds = OfferValues.kinds(of: found.product)
        let asked = Product.Offer.Kind(rawValue: visit.value("kind", visit.query["kind"] ?? ""))
        guard let kind = asked.flatMap({ kinds.contains($0) ? $0 : nil }) ?? (kinds.count == 1 ? kinds[0] : nil) else {
            return ConsoleSection(
                heading: words.add,
                links: kinds.map { PageLink(path, ["kind": $0.rawValue], kindName($0, visit)) })
        }
        let fields = OfferFields(visit, found.product, kind)
        return ConsoleSection(
            heading: words.fill(\.addOf, ["kind": kindName(kind, visit)]), paragraphs: [words.note(kind)],
            forms: [
                ConsoleForm(
                    hidden: [
                        .init(hiddenName: "kind", hiddenValue: kind.rawValue),
                        .init(hiddenName: "version", hiddenValue: String(found.version)),
                    ],
                    fields: fields.all, buttons: [.init(decision: "add", label: words.add, isPrimary: true)])
            ],
            links: kinds.count > 1 ? [PageLink(path, [:], words.otherKind)] : [])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let registering = try visit.service.registeringOffer()
        let version = Int64(form["version"]) ?? -1
        switch form.decision {
        case "add":
            try await registering.add(OfferFields.values(form), to: product, of: app, version: version, by: visit.user)
            return .visit("\(path)?done=saved")
        case "remove":
            guard let kind = Product.Offer.Kind(rawValue: form["kind"]) else { throw form.unknown }
            try await registering.remove(
                kind, named: form["identifier"], from: product, of: app, version: version, by: visit.user)
            return .visit("\(path)?done=saved")
        default: throw form.unknown
        }
    }
}
