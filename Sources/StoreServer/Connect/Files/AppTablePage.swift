// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The page on which a table of prices and texts is downloaded, uploaded,
/// compared and saved.
struct AppTablePage: ConnectPage {
    static let action: TeamAction? = .editProducts
    static let formLimit = AppUpload.largest + ConnectForm.limit
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.wholeApps }

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/table" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let registration = try await visit.service.appReader.app(app, as: visit.user)
        let words = TableWords.words(visit.language)
        var sections: [ConsoleSection] = []
        if let waiting = try await visit.service.editingTable().waiting(of: app, as: visit.user) {
            sections += Self.changes(of: waiting, visit)
        }
        sections.append(
            ConsoleSection(
                heading: words.download, paragraphs: [words.downloadNote],
                links: [PageLink("\(Self.path(app))/download", [:], words.downloadLink)]))
        sections.append(upload(visit))
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        model.script = "/pages/connect-upload.js"
        return model
    }

    private static func changes(of waiting: EditingTable.Waiting, _ visit: ConnectVisit) -> [ConsoleSection] {
        let (words, files) = (TableWords.words(visit.language), FileWords.words(visit.language))
        let (diff, name) = (waiting.diff, waiting.name.isolated)
        var sections: [ConsoleSection] = []
        if !diff.problems.isEmpty {
            sections.append(
                ConsoleSection(
                    heading: files.problems, paragraphs: [words.problemsNote],
                    entries: diff.problems.map { problem in
                        ConsoleEntry(name: words.place(of: problem), details: [words.sentence(problem)])
                    }))
        }
        let list = ChangeList(diff.changes, in: visit.language)
        let summary =
            diff.isEmpty
            ? words.fill(\.nothing, ["name": name])
            : words.fill(\.changesOf, ["name": name, "count": String(diff.changes.count)])
        sections.append(
            .changes(
                list, [summary], version: diff.version, canApply: !diff.isEmpty && diff.problems.isEmpty,
                apply: words.apply, files))
        return sections
    }

    private func upload(_ visit: ConnectVisit) -> ConsoleSection {
        let (words, files) = (TableWords.words(visit.language), FileWords.words(visit.language))
        let file = ConsoleField("file", files.file, accept: ".csv,text/csv", hint: words.fileHint)
        return .upload([visit.field(file)], heading: words.upload, note: words.uploadNote, files)
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let editing = try visit.service.editingTable()
        switch form.decision {
        case "upload":
            try await editing.upload(
                form.file?.contents ?? Data(), named: form.file?.name ?? "", to: app, by: visit.user)
            return .visit(Self.path(app))
        case "apply":
            try await editing(of: app, version: form["version"], by: visit.user)
            return .visit("\(Self.path(app))?done=saved")
        case "discard":
            try await editing.discard(of: app, by: visit.user)
            return .visit("\(Self.path(app))?done=discarded")
        default: throw form.unknown
        }
    }
}

/// The prices and texts of an app's products as a table.
struct AppTableDownload: ConnectDownload {
    static let action = TeamAction.seeApps
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.wholeApps }

    let app: BundleIdentifier

    func file(_ service: StoreService, as user: TeamUser) async throws -> DownloadedFile {
        DownloadedFile(
            name: "\(app.rawValue).csv", type: "text/csv; charset=utf-8",
            contents: try await service.editingTable().contents(of: app, as: user))
    }
}
