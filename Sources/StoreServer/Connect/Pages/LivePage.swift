// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The live page of the sandbox. The server makes its list; a small script
/// replaces the list with those of ``LiveStream``. Without the script a reload
/// shows the newest entries.
struct LivePage: ConnectPage {
    static let action: TeamAction? = .seeTesters

    static let stream = "\(ConnectPlace.live.rawValue)/stream"

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let (words, console) = (LiveWords.words(visit.language), ConsoleWords.words(visit.language))
        let filter = Self.filter(visit.query)
        let entries = try await visit.service.activity(filter, as: visit.user)
        let apps = try await visit.service.appReader.apps(as: visit.user).entries
        let (app, tester) = (filter.app?.rawValue ?? "", filter.tester)
        let query: KeyValuePairs = ["app": app, "q": tester]
        var section = ConsoleSection(
            paragraphs: [words.lead],
            search: ConsoleSearch(
                label: words.tester, text: tester, button: console.find,
                filters: [
                    .init(
                        "app", words.app,
                        options: [ConsoleOption("", words.allApps)]
                            + apps.map { ConsoleOption($0.bundleIdentifier.rawValue, $0.name) },
                        chosen: app)
                ]))
        section.live = ConsoleLive(
            stream: PageLink(Self.stream, query, "").address, isLive: words.isLive,
            isInterrupted: words.isInterrupted)
        section.entries = entries.map { LiveEntry($0, visit).entry }
        section.empty = entries.isEmpty ? words.none : nil
        section.links = [PageLink(ConnectPlace.live.rawValue, query, words.reload)]
        return ConsoleModel(visit, at: .live, sections: [section])
    }

    /// The filter of an address. The search field has the tester's address;
    /// links to the page name it `tester`.
    static func filter(_ query: [String: String]) -> ActivityFilter {
        ActivityFilter(
            app: query["app"]?.nonEmpty.map { BundleIdentifier($0) },
            tester: query["q"]?.nonEmpty ?? query["tester"] ?? "")
    }
}

/// The script's values of a live section.
struct ConsoleLive {
    /// The address of the server-sent events.
    var stream: String
    var isLive: String
    var isInterrupted: String
}
