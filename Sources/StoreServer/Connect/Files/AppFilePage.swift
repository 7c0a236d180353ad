// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The page on which the `.storekit` file of an app is uploaded, compared,
/// imported and downloaded.
struct AppFilePage: ConnectPage {
    static let action: TeamAction? = .editProducts
    static let formLimit = AppUpload.largest + ConnectForm.limit

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
        let list = ChangeList(diff, in: visit.language)
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
        let apply = ConsoleForm.Button(decision: "apply", label: words.apply, isPrimary: true)
        let discard = ConsoleForm.Button(decision: "discard", label: words.discard)
        sections.append(
            ConsoleSection(
                heading: words.changes, paragraphs: paragraphs, entries: list.entries,
                empty: list.more > 0 ? words.fill(\.more, ["count": String(list.more)]) : nil,
                forms: [
                    ConsoleForm(
                        hidden: [.init(hiddenName: "version", hiddenValue: diff.version)],
                        buttons: diff.isEmpty || !diff.problems.isEmpty ? [discard] : [apply, discard])
                ]))
        return sections
    }

    private static let mostProblems = 50

    private func upload(_ visit: ConnectVisit) -> ConsoleSection {
        let words = FileWords.words(visit.language)
        var file = ConsoleField("file", words.file, type: "file", hint: words.fileHint)
        file.accept = ".storekit,.json"
        let others = ConsoleField(
            "others", words.others, options: [("keep", words.keepOthers), ("withdraw", words.withdrawOthers)],
            chosen: visit.value("others", "keep"))
        var form = ConsoleForm(
            fields: [visit.field(file), visit.field(others)],
            buttons: [.init(decision: "upload", label: words.compare, isPrimary: true)])
        form.hasFile = true
        return ConsoleSection(heading: words.upload, paragraphs: [words.uploadNote], forms: [form])
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

    let app: BundleIdentifier

    func file(_ visit: ConnectVisit) async throws -> DownloadedFile {
        DownloadedFile(
            name: "\(app.rawValue).storekit", type: "application/octet-stream",
            contents: try await visit.service.importingAppFile().contents(of: app, as: visit.user))
    }
}
