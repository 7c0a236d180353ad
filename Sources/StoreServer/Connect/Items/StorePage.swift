// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The page on which a team changes the store's page of an app.
struct StorePage: ConnectPage {
    static let action: TeamAction? = .seeApps
    static let showsBoth = true
    static let formLimit = ItemArtwork.largest + ConnectForm.limit

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/store-page" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let page = try await visit.service.storePageReader(of: app, as: visit.user)
        let words = StorePageWords.words(visit.language)
        var sections = [facts(page, visit)]
        let canEdit = visit.user.role.may(.editProducts)
        if canEdit {
            let save = ConsoleWords.words(visit.language).save
            sections.append(
                ConsoleSection(
                    heading: words.edit,
                    forms: [
                        ConsoleForm(
                            hidden: [.init(hiddenName: "version", hiddenValue: String(page.version))],
                            fields: TeamItemFields(visit).values(of: page),
                            buttons: [.init(decision: "save", label: save, isPrimary: true)])
                    ]))
        }
        if let item = page.item {
            sections.append(
                ItemImages(visit, item: item.identifier).section("screenshot", page.screenshots, canEdit: canEdit))
        }
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(AppPage.path(app), [:], page.app.name)
        return model
    }

    private func facts(_ page: RegisteringStorePage.Page, _ visit: ConnectVisit) -> ConsoleSection {
        let (words, items) = (StorePageWords.words(visit.language), TeamItemWords.words(visit.language))
        let versions = PageLink(VersionsPage.path(app), [:], words.versions)
        guard let item = page.item else {
            return ConsoleSection(paragraphs: [words.note, words.unsaved], links: [versions])
        }
        let state =
            switch item.hold(at: visit.service.clock.now()) {
            case nil: words.sold
            case .unreleased: words.unreleased
            case .until(let day): words.fill(\.waits, ["day": visit.language.date(day)])
            }
        var facts = ConsoleSection(
            paragraphs: [words.note, state],
            entries: [
                ConsoleEntry(
                    name: String(item.identifier),
                    details: item.version.isEmpty
                        ? [item.link] : [words.fill(\.soldVersion, ["version": item.version.isolated]), item.link],
                    note: visit.language.price(item.product.price(in: .unitedStates)))
            ], links: [PageLink("/\(item.folder)/\(item.identifier)", [:], words.page), versions])
        if visit.environment == .production, item.team != Team.ofTheStore, item.product.costsMoney {
            facts.paragraphs.append(items.contractNote)
        }
        return facts
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        switch form.decision {
        case "save":
            try await visit.service.registeringStorePage().save(
                TeamItemFields.values(form), of: app, version: Int64(form["version"]) ?? -1, by: visit.user)
        case "upload":
            try await visit.service.registeringItem().setImage(
                form.file?.contents ?? Data(), at: nil, of: .app(app), by: visit.user)
        case "remove-image":
            // The icon of an app is on another page.
            guard let place = Int(form["place"]), place > 0 else { throw form.unknown }
            try await visit.service.registeringItem().removeImage(at: place, of: .app(app), by: visit.user)
        default: throw form.unknown
        }
        return .visit("\(Self.path(app))?done=saved")
    }
}
