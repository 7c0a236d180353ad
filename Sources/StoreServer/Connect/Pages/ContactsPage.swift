// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of the contacts that customers have shared with the seller of an app.
struct ContactsPage: ConnectPage {
    static let action: TeamAction? = .seeContacts

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/contacts" }

    /// The place in the list that an address names.
    ///
    /// - Throws: `StoreFailure` `invalid` for another text.
    static func place(_ text: String) throws -> ListingContacts.Position {
        guard let place = ListingContacts.Position(text: text) else {
            throw StoreFailure(.invalid, "after isn't a place: it is next of the page before.")
        }
        return place
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let registration = try await visit.service.appReader.app(app, as: visit.user)
        let after = try visit.query["after"].map(Self.place)
        let page = try await visit.service.teamContacts(of: app, after: after, as: visit.user)
        let (words, path) = (ContactWords.words(visit.language), Self.path(app))
        let download = PageLink(
            "\(path)/download", after.map { ["after": $0.text] } ?? [:],
            words.fill(\.download, ["count": visit.language.number(ReadingTeamContacts.tableSize)]))
        let more = page.next.map { PageLink(path, ["after": $0.text], ConsoleWords.words(visit.language).more) }
        var model = ConsoleModel(
            visit, at: .apps, title: words.title,
            sections: [
                ConsoleSection(
                    paragraphs: [words.note],
                    entries: page.entries.map { listed in
                        ConsoleEntry(
                            name: listed.contact.name.isolated,
                            details: [
                                listed.contact.email.isolated, listed.contact.postcode.isolated,
                                listed.product.rawValue,
                            ], note: visit.language.date(StoreTime(milliseconds: listed.shared.milliseconds)))
                    },
                    empty: page.entries.isEmpty ? words.none : nil,
                    links: (page.entries.isEmpty ? [] : [download]) + (more.map { [$0] } ?? []))
            ])
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        return model
    }
}

/// The shared contacts of an app as a table, from a place on.
struct ContactsDownload: ConnectDownload {
    static let action = TeamAction.seeContacts

    let app: BundleIdentifier
    let after: ListingContacts.Position?

    func file(_ service: StoreService, as user: TeamUser) async throws -> DownloadedFile {
        DownloadedFile(
            name: "contacts-\(app.rawValue).csv", type: "text/csv; charset=utf-8",
            contents: try await service.teamContacts.table(of: app, after: after, as: user))
    }
}
