// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a team's keys.
struct KeysPage: ConnectPage {
    static let action: TeamAction? = .manageKeys

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = KeyWords.words(visit.language)
        let (keys, issuer) = try await visit.service.managingTeamKeys()(as: visit.user)
        let list = ConsoleSection(
            heading: words.keys, entries: keys.map { Self.entry($0, visit) }, empty: keys.isEmpty ? words.none : nil,
            copies: issuer.map { [ConsoleCopy(label: words.issuer, lines: [$0])] } ?? [])
        let ofFiles = try await visit.service.managingTeamKeys().ofFiles(as: visit.user)
        return ConsoleModel(
            visit, at: .keys, sections: [list] + (ofFiles.isEmpty ? [] : [Self.section(ofFiles, visit)]) + [form(visit)]
        )
    }

    /// The keys of the apps' files.
    private static func section(_ keys: [InAppPurchaseKey], _ visit: ConnectVisit) -> ConsoleSection {
        let words = KeyWords.words(visit.language)
        let entries = keys.map { key in
            let app = key.bundleIdentifier?.rawValue ?? ""
            return ConsoleEntry(
                name: key.name, details: [key.identifier, app, visit.language.date(key.created)],
                note: key.revoked.map { words.fill(\.revokedOn, ["date": visit.language.date($0)]) },
                forms: key.revoked == nil
                    ? [
                        ConsoleForm(
                            hidden: [
                                .init(hiddenName: "key", hiddenValue: key.identifier),
                                .init(hiddenName: "app", hiddenValue: app),
                            ], buttons: [.init(decision: "revoke-file", label: words.revoke, isGrave: true)])
                    ] : [])
        }
        return ConsoleSection(heading: words.ofFiles, paragraphs: [words.ofFilesNote], entries: entries)
    }

    private static func entry(_ key: TeamKey, _ visit: ConnectVisit) -> ConsoleEntry {
        let (words, roles) = (KeyWords.words(visit.language), RoleWords.words(visit.language))
        let mayRevoke = key.role.map { visit.user.role.may($0.assignment) } ?? true
        return ConsoleEntry(
            name: key.name,
            details: [
                key.identifier,
                ([words.name(key.purpose)] + (key.role.map { [roles.name($0)] } ?? [])).joined(separator: " · "),
                words.fill(
                    \.madeBy, ["user": key.creator.isolated, "date": visit.language.date(key.created)]),
            ],
            note: key.revoked.map { words.fill(\.revokedOn, ["date": visit.language.date($0)]) },
            forms: key.revoked == nil && mayRevoke
                ? [.button("revoke", words.revoke, of: "key", key.identifier)] : [])
    }

    private func form(_ visit: ConnectVisit) -> ConsoleSection {
        let (words, roles) = (KeyWords.words(visit.language), RoleWords.words(visit.language))
        let purposes = TeamKey.Purpose.allCases.map { ConsoleOption($0.rawValue, words.name($0)) }
        return ConsoleSection(
            heading: words.make, paragraphs: [words.makeNote],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(ConsoleField("name", words.name, value: visit.value("name"))),
                        visit.field(
                            ConsoleField(
                                "purpose", words.purpose, options: purposes,
                                chosen: visit.value("purpose", TeamKey.Purpose.inAppPurchase.rawValue),
                                hint: words.purposeHint)),
                        visit.field(
                            ConsoleField(
                                "role", words.role, options: roles.options(for: visit.user),
                                chosen: visit.value("role", TeamRole.developer.rawValue), hint: words.roleHint)),
                        visit.presentPassword,
                    ],
                    buttons: [.init(decision: "make", label: words.makeButton, isPrimary: true)])
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let managing = try visit.service.managingTeamKeys()
        switch form.decision {
        case "make":
            try await visit.confirm(form)
            let made = try await managing.make(
                named: form["name"], for: form["purpose"], role: form["role"], by: visit.user)
            return .page(Self.made(made, visit))
        case "revoke":
            try await managing.revoke(form["key"], by: visit.user)
            return .visit("\(ConnectPlace.keys.rawValue)?done=key-revoked")
        case "revoke-file":
            try await managing.revoke(form["key"], ofFileOf: BundleIdentifier(form["app"]), by: visit.user)
            return .visit("\(ConnectPlace.keys.rawValue)?done=key-revoked")
        default: throw form.unknown
        }
    }

    /// The page that shows the private key once.
    private static func made(_ made: ManagingTeamKeys.Made, _ visit: ConnectVisit) -> ConsoleModel {
        let words = KeyWords.words(visit.language)
        var model = ConsoleModel(
            visit, at: .keys, title: words.fill(\.made, ["name": made.key.name.isolated]),
            sections: [
                ConsoleSection(
                    paragraphs: [words.madeNote],
                    copies: [
                        ConsoleCopy(
                            label: words.file,
                            lines: made.privateKey.split(whereSeparator: \.isNewline).map(String.init)),
                        ConsoleCopy(label: words.identifier, lines: [made.key.identifier]),
                        ConsoleCopy(label: words.issuer, lines: [made.issuer]),
                    ])
            ])
        model.above = PageLink(ConnectPlace.keys.rawValue, [:], ConsoleWords.words(visit.language).keys)
        return model
    }
}
