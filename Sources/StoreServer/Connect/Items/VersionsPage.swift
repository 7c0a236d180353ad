// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of an app's versions.
struct VersionsPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/versions" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let registration = try await visit.service.appReader.app(app, as: visit.user)
        let page = try await visit.service.versionReader.page(
            of: app, before: Int64(visit.query["before"] ?? "") ?? .max, as: visit.user)
        let words = StorePageWords.words(visit.language)
        let canEdit = visit.user.role.may(.editProducts)
        var sections = [
            ConsoleSection(
                paragraphs: [words.versionsNote],
                entries: page.entries.map { entry(of: $0, canEdit: canEdit, words) },
                empty: page.entries.isEmpty ? words.noVersions : nil,
                links: page.next.map { [PageLink(Self.path(app), ["before": String($0)], words.older)] } ?? [])
        ]
        if canEdit {
            let field = ConsoleField(
                "version", words.version, value: visit.value("version"), hint: words.versionHint)
            sections.append(
                ConsoleSection(
                    heading: words.add,
                    forms: [
                        ConsoleForm(
                            fields: [visit.field(field)],
                            buttons: [.init(decision: "add", label: words.add, isPrimary: true)])
                    ]))
        }
        var model = ConsoleModel(visit, at: .apps, title: words.versions, sections: sections)
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        return model
    }

    private func entry(of version: AppVersion, canEdit: Bool, _ words: StorePageWords) -> ConsoleEntry {
        var entry = ConsoleEntry(
            name: version.version,
            details: [words.fill(\.numberIs, ["number": String(version.externalIdentifier)])],
            note: words.name(version.state))
        guard canEdit, version.state == .prepared else { return entry }
        entry.forms = [
            ConsoleForm(
                hidden: [.init(hiddenName: "release", hiddenValue: version.version)],
                buttons: [
                    .init(decision: "release", label: words.release),
                    .init(decision: "remove", label: words.remove, isGrave: true),
                ])
        ]
        return entry
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let registering = try visit.service.registeringVersion()
        switch form.decision {
        case "add": try await registering.add(form["version"], to: app, by: visit.user)
        case "release": try await registering.release(form["release"], of: app, by: visit.user)
        case "remove": try await registering.remove(form["release"], of: app, by: visit.user)
        default: throw form.unknown
        }
        return .visit("\(Self.path(app))?done=saved")
    }
}
