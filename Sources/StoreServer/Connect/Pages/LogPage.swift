// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a team's changes, the newest first.
struct LogPage: ConnectPage {
    static let action: TeamAction? = .readLog

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let (words, console) = (LogWords.words(visit.language), ConsoleWords.words(visit.language))
        let text = visit.query["q"] ?? ""
        let before = visit.query["before"].flatMap { Int64($0) } ?? .max
        let page = try await visit.service.teamReader.changes(containing: text, before: before, as: visit.user)
        let entries = page.entries.map { Self.entry($0, in: visit.language) }
        return ConsoleModel(
            visit, at: .log,
            sections: [
                ConsoleSection(
                    search: ConsoleSearch(label: words.search, text: text, button: console.find), entries: entries,
                    empty: entries.isEmpty ? (text.isEmpty ? words.none : console.nothingFound) : nil,
                    links: page.next.map { next in
                        [PageLink(ConnectPlace.log.rawValue, ["q": text, "before": String(next)], words.older)]
                    } ?? [])
            ])
    }

    private static func entry(_ change: TeamChange, in language: PageLanguage) -> ConsoleEntry {
        let words = LogWords.words(language)
        let values: [String] =
            switch (change.before.isEmpty, change.after.isEmpty) {
            case (true, true): []
            case (true, false): [words.fill(\.after, ["after": value(change.after, of: change.kind, language)])]
            case (false, true): [words.fill(\.before, ["before": value(change.before, of: change.kind, language)])]
            case (false, false) where change.before == change.after:
                [words.fill(\.after, ["after": value(change.after, of: change.kind, language)])]
            case (false, false):
                [
                    words.fill(
                        \.change,
                        [
                            "before": value(change.before, of: change.kind, language),
                            "after": value(change.after, of: change.kind, language),
                        ])
                ]
            }
        let user = change.user.isEmpty ? words.operatorName : change.user
        return ConsoleEntry(
            name: change.subject, details: ["\(user.isolated) \(words.name(change.kind))"] + values,
            note: language.date(change.at))
    }

    /// A role, and the rights of a new key, by their names, and every other
    /// value as it is.
    private static func value(_ text: String, of kind: TeamChange.Kind, _ language: PageLanguage) -> String {
        let roles = RoleWords.words(language)
        if let role = TeamRole(rawValue: text) { return roles.name(role) }
        let rights = text.split(separator: ": ", maxSplits: 1).map(String.init)
        guard kind == .keyMade, let purpose = rights.first.flatMap({ TeamKey.Purpose(rawValue: $0) }) else {
            return text.isolated
        }
        let name = KeyWords.words(language).name(purpose)
        guard rights.count == 2, let role = TeamRole(rawValue: rights[1]) else { return name }
        return language.labelled(name, roles.name(role))
    }
}
