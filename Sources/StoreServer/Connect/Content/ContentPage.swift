// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The content of a product that the store hosts: its versions, and the upload
/// of another one.
struct ContentPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    let app: BundleIdentifier
    let product: ProductIdentifier

    static func path(_ product: ProductIdentifier, of app: BundleIdentifier) -> String {
        "\(ProductPage.path(product, of: app))/content"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = ContentWords.words(visit.language)
        let page = try await visit.service.contentReader.page(
            of: product, in: app, after: visit.query["after"] ?? "", as: visit.user)
        var sections = [versions(page, words, visit)]
        if !page.uploads.isEmpty { sections.append(Self.uploads(page.uploads, words, visit)) }
        if page.kind != .nonConsumable {
            sections.append(ConsoleSection(heading: words.upload, paragraphs: [words.onlyNonConsumables]))
        } else if !visit.service.hostsContent {
            sections.append(ConsoleSection(heading: words.upload, paragraphs: [words.noStorage]))
        } else if visit.user.role.may(.editProducts) {
            sections.append(Self.upload(words, visit))
        }
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(ProductPage.path(product, of: app), [:], page.name)
        model.script = "/pages/connect-upload.js"
        return model
    }

    private func versions(
        _ page: HostingTeamContent.Page, _ words: ContentWords, _ visit: ConnectVisit
    ) -> ConsoleSection {
        let entries = page.versions.map { content in
            var entry = ConsoleEntry(
                name: content.version,
                details: [
                    words.fill(
                        \.size,
                        [
                            "count": visit.language.number(content.files.count),
                            "size": visit.language.size(content.files.bytes),
                        ]), visit.language.date(content.published),
                ], note: content.isNewest ? words.live : words.earlier)
            if visit.user.role.may(.editProducts) {
                entry.forms = [.button("remove", words.remove, of: "version", content.version)]
            }
            return entry
        }
        let more = page.next.map { next in
            PageLink(Self.path(product, of: app), ["after": next], ConsoleWords.words(visit.language).more)
        }
        return ConsoleSection(
            heading: words.versions,
            paragraphs: page.newest.map { [words.fill(\.downloaded, ["version": $0.version.isolated])] } ?? [],
            entries: entries, empty: page.newest == nil ? words.none : nil, links: more.map { [$0] } ?? [])
    }

    /// The uploads that have begun, and haven't ended.
    private static func uploads(
        _ uploads: [ContentUpload], _ words: ContentWords, _ visit: ConnectVisit
    ) -> ConsoleSection {
        ConsoleSection(
            heading: words.unfinished, paragraphs: [words.unfinishedNote],
            entries: uploads.map { upload in
                ConsoleEntry(
                    name: upload.version,
                    details: [
                        words.fill(
                            \.received,
                            [
                                "received": visit.language.size(upload.received),
                                "size": visit.language.size(upload.bytes),
                            ])
                    ], note: visit.language.date(upload.touched))
            })
    }

    private static func upload(_ words: ContentWords, _ visit: ConnectVisit) -> ConsoleSection {
        let limit = visit.language.size(ContentLimits.objectBytes)
        let field = ConsoleField(
            InvalidFields.packageField, words.file, accept: ".oskcontent",
            hint: words.fill(\.fileHint, ["limit": limit]))
        var form = ConsoleForm(
            fields: [visit.field(field)],
            buttons: [.init(decision: "upload", label: words.uploadButton, isPrimary: true)])
        form.progress = ConsoleProgress(
            uploading: words.uploading, checking: words.checking, interrupted: words.interrupted,
            cancelled: words.cancelled, cancel: words.cancel,
            tooLarge: FieldWords.words(visit.language).sentence(
                InvalidFields.packageTooLarge.problems[0], in: visit.language),
            mostBytes: String(ContentLimits.objectBytes))
        return ConsoleSection(heading: words.upload, paragraphs: [words.uploadNote], forms: [form])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let hosting = try visit.service.hostingTeamContent()
        switch form.decision {
        case "upload":
            // A form with a file is read by `ContentReceiver`.
            try await hosting.requireRoom(for: 0, of: product, in: app, by: visit.user)
            throw InvalidFields(problems: [FieldProblem(field: InvalidFields.packageField, kind: .missing)])
        case "remove":
            do {
                try await hosting.remove(form["version"], of: product, in: app, by: visit.user)
            } catch let error as DomainError where error.code == .contentNotFound {
                // Another user has removed it.
            }
            return .visit("\(Self.path(product, of: app))?done=content-removed")
        default: throw form.unknown
        }
    }
}
