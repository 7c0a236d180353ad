// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The page on which a user of the operator's team sees a submission, and
/// decides about the version that the page shows.
struct ReviewPage: ConnectPage {
    static let action: TeamAction? = .reviewProducts
    static let showsBoth = true

    let app: BundleIdentifier
    let product: ProductIdentifier

    static func path(_ product: ProductIdentifier, of app: BundleIdentifier) -> String {
        "\(ConnectPlace.reviews.rawValue)/\(app.rawValue.percentEncodedForQuery)/\(product.rawValue.percentEncodedForQuery)"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = ReviewWords.words(visit.language)
        let (found, team) = try await visit.service.reviewReader.submission(of: product, in: app, as: visit.user)
        let registration = found.registration
        var sections = [
            ConsoleSection(facts: ConsoleFacts(lines: Self.lines(found, team, words, visit))),
            ConsoleSection(
                heading: words.note,
                paragraphs: registration.reviewNote.isEmpty
                    ? [] : registration.reviewNote.split(separator: "\n").map { String($0).isolated },
                empty: registration.reviewNote.isEmpty ? words.noNote : nil),
            screenshot(found.screenshot, words, visit),
        ]
        sections += Self.decisions(registration, words, visit)
        var model = ConsoleModel(visit, at: .reviews, title: registration.product.referenceName, sections: sections)
        model.above = PageLink(
            ConnectPlace.reviews.rawValue, [:], ConsoleWords.words(visit.language).reviews)
        return model
    }

    private static func lines(
        _ found: ReviewingProducts.Submission, _ team: String?, _ words: ReviewWords, _ visit: ConnectVisit
    ) -> [ConsoleFacts.Line] {
        let (names, language) = (ProductWords.words(visit.language), visit.language)
        let (registration, product) = (found.registration, found.registration.product)
        var lines: [ConsoleFacts.Line?] = [
            .init(words.app, "\(found.appName) (\(product.bundleIdentifier))"),
            .init(words.team, team ?? words.operatorTeam), .init(names.identifier, product.productIdentifier.rawValue),
            .init(names.kind, names.name(product.kind)), .init(words.state, names.name(registration.review.state)),
            registration.review.submitted.map { .init(words.submitted, language.date($0)) },
            registration.review.reason.map { .init(words.reason, $0) }, .init(names.reference, product.referenceName),
        ]
        if let plan = product.plan {
            let period = names.fill(\.planIs, ["group": plan.group.rawValue, "period": language.length(plan.period)])
            lines += [.init(names.period, period), .init(names.level, String(plan.level))]
        }
        lines.append(
            .init(names.price, registration.hasPrice ? language.price(product.price(in: .unitedStates)) : names.noPrice)
        )
        let others = product.ownPrices.replacing("\n", with: ", ")
        let exclusions = product.exclusions.sorted().joined(separator: " ")
        lines += [
            others.isEmpty ? nil : .init(names.otherPrices, others),
            exclusions.isEmpty ? nil : .init(names.exclusions, exclusions),
            .init(names.family, product.isFamilyShareable ? names.yes : names.no),
            .init(names.cleared, registration.isCleared ? names.yes : names.no),
        ]
        for text in product.localizations {
            lines += [
                .init(names.fill(\.title, ["locale": text.locale]), text.title),
                .init(names.fill(\.description, ["locale": text.locale]), text.description),
            ]
        }
        return lines.compactMap { $0 }
    }

    private func screenshot(
        _ image: RegistrationImage?, _ words: ReviewWords, _ visit: ConnectVisit
    ) -> ConsoleSection {
        let heading = ImageWords.words(visit.language).review
        guard let image else { return ConsoleSection(heading: heading, empty: words.noScreenshot) }
        let size = ImageWords.words(visit.language).fill(
            \.sizeIs, ["width": String(image.width), "height": String(image.height)])
        let address = "\(Self.path(product, of: app))/screenshot/\(image.digest)"
        return ConsoleSection(heading: heading, images: [ConsoleImage(address: address, text: "\(heading), \(size)")])
    }

    /// The forms of a product in the queue, each with the version that the
    /// page shows.
    private static func decisions(
        _ registration: ProductRegistration, _ words: ReviewWords, _ visit: ConnectVisit
    ) -> [ConsoleSection] {
        guard registration.review.submitted != nil else {
            return [ConsoleSection(heading: words.decide, paragraphs: [words.notInQueue])]
        }
        let version = ConsoleForm.Hidden(hiddenName: "version", hiddenValue: String(registration.version))
        var begin = ConsoleForm(
            hidden: [version],
            buttons: [.init(decision: "approve", label: words.approve, isPrimary: true)])
        if registration.review.state == .waiting {
            begin.buttons.append(.init(decision: "begin", label: words.begin))
        }
        var reason = ConsoleField("reason", words.reason, lines: visit.value("reason"), hint: words.reasonHint)
        reason.isRequired = true
        return [
            ConsoleSection(heading: words.decide, paragraphs: [words.decideNote], forms: [begin]),
            ConsoleSection(
                heading: words.reject,
                forms: [
                    ConsoleForm(
                        hidden: [version], fields: [visit.field(reason)],
                        buttons: [.init(decision: "reject", label: words.reject, isGrave: true)])
                ]),
        ]
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard let decision = ProductReview.Decision(rawValue: form.decision) else { throw form.unknown }
        try await visit.service.reviewingProducts().decide(
            decision, on: product, of: app, reason: form["reason"], version: Int64(form["version"]) ?? -1,
            by: visit.user)
        return .visit("\(Self.path(product, of: app))?done=reviewed")
    }
}
