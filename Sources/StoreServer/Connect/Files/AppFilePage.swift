// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The page on which the `.storekit` file of an app is uploaded, compared,
/// imported and downloaded.
struct AppFilePage: ConnectPage {
    static let action: TeamAction? = .editProducts
    static let formLimit = AppUpload.largest + ConnectForm.limit
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.wholeApps }

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/file" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let registration = try await visit.service.appReader.app(app, as: visit.user)
        let words = FileWords.words(visit.language)
        var sections: [ConsoleSection] = []
        if let waiting = try await visit.service.importingAppFile().waiting(of: app, as: visit.user) {
            sections += Self.changes(of: waiting, visit)
        }
        sections.append(upload(visit))
        sections.append(
            ConsoleSection(
                heading: words.download, paragraphs: [words.downloadNote],
                links: [PageLink("\(Self.path(app))/download", [:], words.downloadLink)]))
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        model.script = "/pages/connect-upload.js"
        return model
    }

    private static func changes(of waiting: ImportingAppFile.Waiting, _ visit: ConnectVisit) -> [ConsoleSection] {
        let (words, diff) = (FileWords.words(visit.language), waiting.diff)
        let name = waiting.name.isolated
        var sections: [ConsoleSection] = []
        if !diff.problems.isEmpty {
            let problems = diff.problems.prefix(mostProblems).map { words.sentence($0, in: visit.language) }
            let more = diff.problems.count - problems.count
            sections.append(
                ConsoleSection(
                    heading: words.problems, paragraphs: [words.problemsNote],
                    entries: problems.map { ConsoleEntry(name: $0) },
                    empty: more > 0 ? words.fill(\.more, ["count": String(more)]) : nil))
        }
        let list = ChangeList(diff.changes, in: visit.language)
        var paragraphs = [
            diff.isEmpty
                ? words.fill(\.nothing, ["name": name])
                : words.fill(\.changesOf, ["name": name, "count": String(diff.changes.count)])
        ]
        if !diff.isEmpty { paragraphs.append(waiting.withdraws ? words.withdraws : words.keeps) }
        if !diff.incomplete.isEmpty {
            let names = diff.incomplete.prefix(10).map { $0.rawValue.isolated }.joined(separator: ", ")
            paragraphs.append(words.fill(\.incomplete, ["products": names]))
        }
        sections.append(
            .changes(
                list, paragraphs, version: diff.version, canApply: !diff.isEmpty && diff.problems.isEmpty,
                apply: words.apply, words))
        return sections
    }

    private static let mostProblems = 50

    private func upload(_ visit: ConnectVisit) -> ConsoleSection {
        let words = FileWords.words(visit.language)
        let file = ConsoleField("file", words.file, accept: ".storekit,.json", hint: words.fileHint)
        let others = ConsoleField(
            "others", words.others,
            options: [ConsoleOption("keep", words.keepOthers), ConsoleOption("withdraw", words.withdrawOthers)],
            chosen: visit.value("others", "keep"))
        return .upload(
            [visit.field(file), visit.field(others)], heading: words.upload, note: words.uploadNote, words)
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let importing = try visit.service.importingAppFile()
        switch form.decision {
        case "upload":
            try await importing.upload(
                form.file?.contents ?? Data(), named: form.file?.name ?? "",
                withdraws: form["others"] == "withdraw", to: app, by: visit.user)
            return .visit(Self.path(app))
        case "apply":
            try await importing(of: app, version: form["version"], by: visit.user)
            return .visit("\(Self.path(app))?done=imported")
        case "discard":
            try await importing.discard(of: app, by: visit.user)
            return .visit("\(Self.path(app))?done=discarded")
        default: throw form.unknown
        }
    }
}

/// The present products of an app as a `.storekit` file.
struct AppFileDownload: ConnectDownload {
    static let action = TeamAction.editProducts
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.wholeApps }

    let app: BundleIdentifier

    func file(_ service: StoreService, as user: TeamUser) async throws -> DownloadedFile {
        DownloadedFile(
            name: "\(app.rawValue).storekit", type: "application/octet-stream",
            contents: try await service.importingAppFile().contents(of: app, as: user))
    }
}
