// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page on which a product of an app is registered. The address has its
/// type, which decides the fields.
struct NewProductPage: ConnectPage {
    static let action: TeamAction? = .editProducts

    let app: BundleIdentifier

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let reader = visit.service.appReader
        let registration = try await reader.app(app, as: visit.user)
        let words = ProductWords.words(visit.language)
        let named = Product.Kind(rawValue: visit.value("kind", visit.query["kind"] ?? ""))
        let isKnown = ProductRegistration.kinds.contains(named)
        if !isKnown, visit.query["kind"]?.isEmpty == false {
            throw DomainError(.notFound, "A product is of one of the types on the page of its app.")
        }
        let kind = isKnown ? named : .consumable
        let groups = kind == .autoRenewable ? try await reader.groups(of: app, as: visit.user) : []
        let fields = ProductFields(visit, primary: registration.primaryLocale)
        var model = ConsoleModel(
            visit, at: .apps, title: words.fill(\.newOf, ["kind": words.name(kind)]),
            sections: [
                ConsoleSection(
                    paragraphs: [words.registerNote],
                    forms: [
                        ConsoleForm(
                            hidden: [.init(hiddenName: "kind", hiddenValue: kind.rawValue)],
                            fields: fields.identity(kind, groups: groups) + fields.values(of: nil, kind),
                            buttons: [.init(decision: "register", label: words.register, isPrimary: true)])
                    ])
            ])
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        return model
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard form.decision == "register" else { throw form.unknown }
        var new = NewProduct(kind: form["kind"], identifier: form["product"], values: ProductFields.values(form))
        new.group = form["group"]
        new.newGroup = form["newGroup"]
        new.period = form["period"]
        let made = try await visit.service.registeringProduct()(new, in: app, by: visit.user)
        return .visit("\(ProductPage.path(made.product.productIdentifier, of: app))?done=product")
    }
}
