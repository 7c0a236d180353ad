// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The page of an app's codes, on which codes are made, downloaded and revoked.
/// The address may name the product of new codes; without one, they are for the
/// app itself, if it has a store page.
struct CodesPage: ConnectPage {
    static let action: TeamAction? = .manageOffers
    /// Making a batch draws and hashes 25,000 texts.
    static var formPlaces: KeyPath<RequestLimits, TeamPlaces> { \.wholeApps }

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/codes" }

    private var path: String { Self.path(app) }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let reader = visit.service.appReader
        let registration = try await reader.app(app, as: visit.user)
        let words = CodeWords.words(visit.language)
        var sections = [try await list(visit)]
        let named = ProductIdentifier(visit.value("product", visit.query["product"] ?? ""))
        let known: ProductRegistration?
        do {
            known = try await reader.product(named, of: app, as: visit.user)
        } catch let error as DomainError where error.code == .notFound {
            known = nil
        }
        if let known {
            sections.append(draw(known.product, visit))
            if known.product.offers.contains(where: { $0.kind == .code }) {
                sections.append(word(known.product, visit))
            }
        } else {
            sections.append(ConsoleSection(heading: words.make, paragraphs: [words.chooseNote]))
            if try await visit.service.storePageReader(of: app, as: visit.user).item != nil {
                sections.append(itself(visit))
            }
        }
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        return model
    }

    private func list(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let (words, console) = (CodeWords.words(visit.language), ConsoleWords.words(visit.language))
        let page = try await visit.service.makingAppCodes().batches(
            of: app, before: visit.query["before"] ?? "", as: visit.user)
        return ConsoleSection(
            heading: words.batches, paragraphs: page.entries.isEmpty ? [] : [words.downloadNote],
            entries: page.entries.map { entry(of: $0, visit) }, empty: page.entries.isEmpty ? words.none : nil,
            links: page.next.map { [PageLink(path, ["before": $0], console.more)] } ?? [])
    }

    private func entry(of listed: MakingAppCodes.Listed, _ visit: ConnectVisit) -> ConsoleEntry {
        let (words, batch) = (CodeWords.words(visit.language), listed.batch)
        var forms: [ConsoleForm] = []
        if !batch.isComplete, listed.hasCodes {
            forms.append(.button("complete", words.complete, of: "batch", batch.identifier))
        }
        if batch.revoked == nil { forms.append(.button("revoke", words.revoke, of: "batch", batch.identifier)) }
        var entry = ConsoleEntry(
            name: batch.name, details: words.details(of: listed, visit.language), note: words.state(of: batch),
            forms: forms)
        if listed.hasCodes, batch.isComplete {
            entry.address = "\(path)/\(batch.identifier)/download"
        }
        return entry
    }

    private func draw(_ product: Product, _ visit: ConnectVisit) -> ConsoleSection {
        let words = CodeWords.words(visit.language)
        let fields = [
            offer(product, visit, hasPromo: true), name(visit),
            visit.field(
                ConsoleField("count", words.count, value: visit.value("count"), hint: words.countHint)),
            day(visit),
        ]
        return section(words.draw, words.drawNote, fields, "draw", words.drawButton, product, visit)
    }

    private func word(_ product: Product, _ visit: ConnectVisit) -> ConsoleSection {
        let words = CodeWords.words(visit.language)
        let fields = [
            offer(product, visit, hasPromo: false), name(visit),
            visit.field(ConsoleField("word", words.word, value: visit.value("word"), hint: words.wordHint)),
            visit.field(ConsoleField("limit", words.limit, value: visit.value("limit"))), day(visit),
        ]
        return section(words.ownWord, words.ownWordNote, fields, "word", words.wordButton, product, visit)
    }

    /// The form for promo codes of the app itself.
    private func itself(_ visit: ConnectVisit) -> ConsoleSection {
        let words = CodeWords.words(visit.language)
        let fields = [name(visit), visit.field(ConsoleField("count", words.count, value: visit.value("count")))]
        return section(words.draw, words.itselfNote, fields, "app", words.drawButton, nil, visit)
    }

    private func section(
        _ heading: String, _ note: String, _ fields: [ConsoleField], _ decision: String, _ label: String,
        _ product: Product?, _ visit: ConnectVisit
    ) -> ConsoleSection {
        let identifier = product?.productIdentifier.rawValue
        let subject = identifier?.isolated ?? CodeWords.words(visit.language).itself
        // The problems are those of the form that was sent.
        let isSent = visit.typed.decision.isEmpty || visit.typed.decision == decision
        let shown = fields.map { field in
            var field = field
            if !isSent { field.problem = nil }
            return field
        }
        return ConsoleSection(
            heading: visit.language.labelled(heading, subject), paragraphs: [note],
            forms: [
                ConsoleForm(
                    hidden: [
                        .init(hiddenName: "product", hiddenValue: identifier ?? ""),
                        .init(hiddenName: "batch", hiddenValue: visit.service.drawCodesIdentifier()),
                    ],
                    fields: shown, buttons: [.init(decision: decision, label: label, isPrimary: true)])
            ])
    }

    private func offer(_ product: Product, _ visit: ConnectVisit, hasPromo: Bool) -> ConsoleField {
        let words = CodeWords.words(visit.language)
        let offers = product.offers.filter { $0.kind == .code }.map { ConsoleOption($0.identifier, $0.identifier) }
        let options = offers + (hasPromo ? [ConsoleOption("", words.promo)] : [])
        return visit.field(
            ConsoleField(
                "offer", words.offer, options: options, chosen: visit.value("offer", options.first?.value ?? "")))
    }

    private func name(_ visit: ConnectVisit) -> ConsoleField {
        let words = CodeWords.words(visit.language)
        return visit.field(ConsoleField("name", words.name, value: visit.value("name"), hint: words.nameHint))
    }

    private func day(_ visit: ConnectVisit) -> ConsoleField {
        let words = CodeWords.words(visit.language)
        return visit.field(
            ConsoleField(
                "lastDay", words.lastDay, type: "date", value: visit.value("lastDay"), hint: words.lastDayHint,
                isRequired: false))
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let making = try visit.service.makingAppCodes()
        switch form.decision {
        case "draw", "word", "app":
            var values = CodeValues()
            values.product = form["product"]
            values.isForApp = form.decision == "app"
            values.offer = form["offer"]
            values.name = form["name"]
            values.count = form["count"]
            values.lastDay = form["lastDay"]
            values.word = form["word"]
            values.limit = form["limit"]
            let isWord = form.decision == "word"
            values.setBatch(drawn: form["batch"], isWord: isWord)
            _ = try await making(values, isWord: isWord, of: app, by: visit.user)
        case "complete": try await making.complete(form["batch"], of: app, by: visit.user)
        case "revoke": try await making.revoke(form["batch"], of: app, by: visit.user)
        default: throw form.unknown
        }
        return .visit("\(path)?done=saved")
    }
}

/// The codes of a batch as a table.
struct CodesDownload: ConnectDownload {
    static let action = TeamAction.manageOffers
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.wholeApps }

    let app: BundleIdentifier
    let batch: String

    func file(_ service: StoreService, as user: TeamUser) async throws -> DownloadedFile {
        DownloadedFile(
            name: "codes-\(batch).csv", type: "text/csv; charset=utf-8",
            contents: try await service.makingAppCodes().contents(of: batch, of: app, as: user))
    }
}
