// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The page of an item: its form, and its images.
struct TeamItemPage: ConnectPage {
    static let action: TeamAction? = .seeApps
    static let showsBoth = true
    static let formLimit = ItemArtwork.largest + ConnectForm.limit

    let identifier: Int64

    static func path(_ identifier: Int64) -> String { "\(ConnectPlace.items.rawValue)/\(identifier)" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = TeamItemWords.words(visit.language)
        let found = try await visit.service.itemReader.item(identifier, as: visit.user)
        let item = found.item
        let canEdit = visit.user.role.may(.editProducts)
        var facts = ConsoleSection(
            paragraphs: [words.publicNote],
            entries: [
                ConsoleEntry(
                    name: String(item.identifier),
                    details: [words.name(item.kind), item.version, item.link],
                    note: visit.language.price(item.product.price(in: .unitedStates)))
            ], links: [PageLink("/\(item.folder)/\(item.identifier)", [:], words.page)])
        if visit.environment == .production, item.team != Team.ofTheStore, item.product.costsMoney {
            facts.paragraphs.append(words.contractNote)
        }
        var sections = [facts]
        if canEdit {
            sections.append(
                ConsoleSection(
                    heading: words.edit,
                    forms: [
                        ConsoleForm(
                            hidden: [.init(hiddenName: "edits", hiddenValue: String(item.edits))],
                            fields: TeamItemFields(visit).values(of: item),
                            buttons: [
                                .init(
                                    decision: "save", label: ConsoleWords.words(visit.language).save, isPrimary: true)
                            ])
                    ]))
        }
        let images = ItemImages(visit, item: identifier)
        sections += [
            images.section("icon", found.images.filter { $0.place == 0 }, canEdit: canEdit),
            images.section("screenshot", found.images.filter { $0.place > 0 }, canEdit: canEdit),
        ]
        var model = ConsoleModel(visit, at: .items, title: item.product.referenceName, sections: sections)
        model.above = PageLink(ConnectPlace.items.rawValue, [:], ConsoleWords.words(visit.language).items)
        return model
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let registering = try visit.service.registeringItem()
        switch form.decision {
        case "save":
            try await registering.change(
                identifier, to: TeamItemFields.values(form), edits: Int64(form["edits"]) ?? -1, by: visit.user)
        case "upload":
            try await registering.setImage(
                form.file?.contents ?? Data(), at: form["image"] == "icon" ? 0 : nil, of: .item(identifier),
                by: visit.user)
        case "remove-image":
            try await registering.removeImage(
                at: Int(form["place"]) ?? -1, of: .item(identifier), by: visit.user)
        default: throw form.unknown
        }
        return .visit("\(Self.path(identifier))?done=saved")
    }
}
