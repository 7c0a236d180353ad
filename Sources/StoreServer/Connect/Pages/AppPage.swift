// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The page of an app and its products.
struct AppPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String {
        "\(ConnectPlace.apps.rawValue)/\(app.rawValue.percentEncodedForQuery)"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let registration = try await visit.service.appReader.app(app, as: visit.user)
        var sections = [facts(registration, visit), try await products(visit)]
        let links = links(visit)
        if !links.isEmpty {
            sections.append(ConsoleSection(heading: FileWords.words(visit.language).several, links: links))
        }
        if visit.user.role.may(.registerApps) { sections.append(change(registration, visit)) }
        var model = ConsoleModel(visit, at: .apps, title: registration.name, sections: sections)
        model.above = PageLink(ConnectPlace.apps.rawValue, [:], ConsoleWords.words(visit.language).apps)
        return model
    }

    private func facts(_ app: AppRegistration, _ visit: ConnectVisit) -> ConsoleSection {
        let words = AppWords.words(visit.language)
        let details = [
            app.state == .removed ? words.removed : nil, app.sku.map { "SKU \($0)" },
            app.primaryLocale.map { words.fill(\.localeIs, ["locale": $0]) },
            app.appleIdentifier.map { words.fill(\.numberIs, ["number": String($0)]) } ?? words.noNumber,
        ]
        let pages = StorePageWords.words(visit.language)
        var links = [
            PageLink(StorePage.path(self.app), [:], pages.title),
            PageLink(VersionsPage.path(self.app), [:], pages.versions),
            PageLink(ChecklistPage.path(self.app), [:], ChecklistWords.words(visit.language).title),
            PageLink(PromotionPage.path(self.app), [:], ImageWords.words(visit.language).promotion),
        ]
        if visit.user.role.may(.manageServers) {
            links.append(PageLink(AddressesPage.path(self.app), [:], AddressWords.words(visit.language).title))
            links.append(PageLink(SecretsPage.path(self.app), [:], SecretWords.words(visit.language).title))
        }
        if visit.user.role.may(.seeTransactions) {
            let name = ConsoleWords.words(visit.language).transactions
            links.append(PageLink(ConnectPlace.transactions.rawValue, ["app": self.app.rawValue], name))
        }
        if visit.user.role.may(.seeContacts) {
            links.append(PageLink(ContactsPage.path(self.app), [:], ContactWords.words(visit.language).title))
        }
        return ConsoleSection(
            entries: [
                ConsoleEntry(name: app.bundleIdentifier.rawValue, details: details.compactMap { $0 })
            ], links: links)
    }

    private func products(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let (words, console) = (ProductWords.words(visit.language), ConsoleWords.words(visit.language))
        let (text, kind, sort) = (visit.query["q"] ?? "", visit.query["kind"] ?? "", visit.sort(ProductSort.self))
        let page = try await visit.service.appReader.products(
            of: app, kind: kind, containing: text, by: sort, after: visit.place(in: sort), as: visit.user)
        let path = Self.path(app)
        var links =
            page.next.map { next in
                [
                    PageLink(
                        path, ["q": text, "kind": kind, "sort": sort.parameter, "after": next.text], console.more)
                ]
            } ?? []
        if visit.user.role.may(.editProducts) {
            links += ProductRegistration.kinds.map { kind in
                PageLink(
                    "\(path)/new-product", ["kind": kind.rawValue], words.fill(\.newOf, ["kind": words.name(kind)]))
            }
        }
        return ConsoleSection(
            heading: words.products,
            search: ConsoleSearch(
                label: words.search, text: text, button: console.find, sort: sort.parameter,
                filters: [.init("kind", words.kind, options: words.kinds, chosen: kind)]),
            sorting: ConsoleSorting(sort, of: path, ["q": text, "kind": kind], visit),
            entries: page.entries.map { product in
                ConsoleEntry(
                    name: product.referenceName,
                    address: ProductPage.path(product.identifier, of: app),
                    details: [product.identifier.rawValue, words.name(product.kind)],
                    note: product.isForSale ? words.sold : words.notSold)
            },
            empty: page.entries.isEmpty
                ? (text.isEmpty && kind.isEmpty ? words.none : console.nothingFound) : nil,
            links: links)
    }

    /// The pages that change several products.
    private func links(_ visit: ConnectVisit) -> [PageLink] {
        let files = [
            PageLink(AppFilePage.path(app), [:], FileWords.words(visit.language).title),
            PageLink(AppTablePage.path(app), [:], TableWords.words(visit.language).title),
        ]
        let codes = PageLink(CodesPage.path(app), [:], CodeWords.words(visit.language).title)
        return (visit.user.role.may(.editProducts) ? files : []) + (visit.user.role.may(.manageOffers) ? [codes] : [])
    }

    private func change(_ app: AppRegistration, _ visit: ConnectVisit) -> ConsoleSection {
        let words = AppWords.words(visit.language)
        return ConsoleSection(
            heading: words.change,
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "version", hiddenValue: String(app.version))],
                    fields: [
                        visit.field(
                            ConsoleField(
                                "name", words.name, value: visit.value("name", app.name), hint: words.nameHint)),
                        visit.field(
                            ConsoleField(
                                "state", words.state, options: words.states,
                                chosen: visit.value("state", app.state.rawValue), hint: words.stateHint)),
                    ],
                    buttons: [
                        .init(decision: "change", label: ConsoleWords.words(visit.language).save, isPrimary: true)
                    ])
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard form.decision == "change" else { throw form.unknown }
        try await visit.service.registeringApp().change(
            app, to: AppRegistration.Change(name: form["name"], state: form["state"].nonEmpty),
            version: Int64(form["version"]) ?? -1, by: visit.user)
        return .visit("\(Self.path(app))?done=saved")
    }
}
