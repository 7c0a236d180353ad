// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The page of a product: its state, its form, and its submission to the
/// review.
struct ProductPage: ConnectPage {
    static let action: TeamAction? = .seeApps
    static let showsBoth = true

    let app: BundleIdentifier
    let product: ProductIdentifier

    static func path(_ product: ProductIdentifier, of app: BundleIdentifier) -> String {
        "\(AppPage.path(app))/products/\(product.rawValue.percentEncodedForQuery)"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let reader = visit.service.appReader
        let registration = try await reader.app(app, as: visit.user)
        let found = try await reader.product(product, of: app, as: visit.user)
        var state = facts(found, visit)
        state.paragraphs += try await delays(found, visit)
        var sections = [state]
        if visit.user.role.may(.editProducts) {
            sections += submission(found, visit)
            sections.append(form(found, ProductFields(visit, primary: registration.primaryLocale), visit))
        }
        let offers = OfferWords.words(visit.language).title
        let prices = PriceWords.words(visit.language).title
        sections[0].links += [
            PageLink(OffersPage.path(product, of: app), [:], offers),
            PageLink(PricesPage.path(product, of: app), [:], prices),
        ]
        if found.product.kind == .nonConsumable {
            let content = ContentWords.words(visit.language).title
            sections[0].links.append(PageLink(ContentPage.path(product, of: app), [:], content))
        }
        var model = ConsoleModel(visit, at: .apps, title: found.product.referenceName, sections: sections)
        model.above = PageLink(AppPage.path(app), [:], registration.name)
        return model
    }

    /// The state of the product, with the values that it lacks.
    private func facts(_ found: ProductRegistration, _ visit: ConnectVisit) -> ConsoleSection {
        let words = ProductWords.words(visit.language)
        let product = found.product
        let state = found.state(in: visit.environment)
        var details = [words.name(product.kind)]
        if let plan = product.plan {
            details.append(
                words.fill(\.planIs, ["group": plan.group.rawValue, "period": visit.language.length(plan.period)]))
        }
        if found.hasPrice { details.append(visit.language.price(product.price(in: .unitedStates))) }
        details += product.localizations.map { visit.language.labelled($0.locale, $0.title.isolated) }
        var paragraphs = [words.sandboxNote]
        if visit.environment == .production { paragraphs = [words.productionNote] }
        let missing = visit.service.reviewsProducts ? found.missingForReview : found.missing
        if !missing.isEmpty {
            // The sandbox sells a complete product without a screenshot.
            let isSoldHere = visit.environment == .sandbox && found.missing.isEmpty
            let sentence = words.fill(
                isSoldHere ? \.missingForProduction : \.missing, ["values": words.list(missing)])
            paragraphs = isSoldHere ? paragraphs + [sentence] : [sentence]
        }
        let reviewed = found.state(in: .production)
        if visit.environment == .sandbox, reviewed != state {
            details.append(words.fill(\.inProduction, ["state": words.name(reviewed)]))
        }
        if let reason = found.review.reason, reviewed == .rejected {
            let sentence = words.fill(\.rejectedFor, ["reason": reason.isolated])
            paragraphs = visit.environment == .production ? [sentence] : paragraphs + [sentence]
        }
        return ConsoleSection(
            paragraphs: paragraphs,
            entries: [
                ConsoleEntry(name: product.productIdentifier.rawValue, details: details, note: words.name(state))
            ], links: [PageLink(ProductImagesPage.path(self.product, of: app), [:], words.images)])
    }

    /// The sentences about a missing contract, and about a change that hasn't
    /// reached the store yet.
    private func delays(_ found: ProductRegistration, _ visit: ConnectVisit) async throws -> [String] {
        let words = AgreementWords.words(visit.language)
        var sentences: [String] = []
        if found.product.lacksContract, found.product.costsMoney { sentences.append(words.notSold) }
        let arrivals = try await visit.service.appReader.arrivals(of: product, in: app, as: visit.user)
        let texts: [(StoreEnvironment, KeyPath<AgreementWords, String>)] = [
            (.production, \.reachesProduction), (.sandbox, \.reachesSandbox),
        ]
        for (environment, sentence) in texts {
            guard let arrival = arrivals[environment] else { continue }
            sentences.append(words.fill(sentence, ["date": visit.language.date(arrival)]))
        }
        return sentences
    }

    /// The form that submits the product. The sandbox sells it without a review,
    /// and has the form for production.
    private func submission(_ found: ProductRegistration, _ visit: ConnectVisit) -> [ConsoleSection] {
        let state = found.state(in: .production)
        guard state == .readyToSubmit || state == .rejected,
            !visit.service.reviewsProducts || found.missingForReview.isEmpty
        else { return [] }
        let words = ProductWords.words(visit.language)
        return [
            ConsoleSection(
                heading: words.submit, paragraphs: [words.submitNote],
                forms: [
                    ConsoleForm(
                        hidden: [.init(hiddenName: "version", hiddenValue: String(found.version))],
                        buttons: [.init(decision: "submit", label: words.submit)])
                ])
        ]
    }

    private func form(_ found: ProductRegistration, _ fields: ProductFields, _ visit: ConnectVisit) -> ConsoleSection {
        let save = ConsoleWords.words(visit.language).save
        return ConsoleSection(
            heading: fields.words.edit, paragraphs: found.canChangePrice ? [] : [fields.words.fixedPrice],
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "version", hiddenValue: String(found.version))],
                    fields: fields.values(of: found, found.product.kind),
                    buttons: [.init(decision: "save", label: save, isPrimary: true)])
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let registering = try visit.service.registeringProduct()
        let version = Int64(form["version"]) ?? -1
        switch form.decision {
        case "save":
            try await registering.change(
                product, of: app, to: ProductFields.values(form), version: version, by: visit.user)
            return .visit("\(Self.path(product, of: app))?done=saved")
        case "submit":
            try await registering.submit(product, of: app, version: version, by: visit.user)
            return .visit("\(Self.path(product, of: app))?done=submitted")
        default: throw form.unknown
        }
    }
}
