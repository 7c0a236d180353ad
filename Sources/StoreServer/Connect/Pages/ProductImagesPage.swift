// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The images of a product: its screenshot for the review, and the one by
/// which it is promoted.
struct ProductImagesPage: ConnectPage {
    static let action: TeamAction? = .seeApps
    static let formLimit = ImageForms.formLimit

    let app: BundleIdentifier
    let product: ProductIdentifier

    static func path(_ product: ProductIdentifier, of app: BundleIdentifier) -> String {
        "\(ProductPage.path(product, of: app))/images"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let found = try await visit.service.appReader.product(product, of: app, as: visit.user)
        let images = try await visit.service.imageReader.all(of: product, in: app, as: visit.user)
        let promoted = try await visit.service.promotionReader.list(of: app, as: visit.user)
        let path = Self.path(product, of: app)
        let forms = ImageForms(visit) { "\(path)/\($0)" }
        var sections = [
            forms.section(.review, saved: images[.review], action: .editProducts),
            forms.section(.promotion, saved: images[.promotion], action: .promoteProducts),
        ]
        if images[.promotion] != nil, visit.user.role.may(.promoteProducts) {
            sections.append(promotion(promoted.map(\.promoted), forms.words))
        }
        var model = ConsoleModel(visit, at: .apps, title: forms.words.images, sections: sections)
        model.above = PageLink(ProductPage.path(product, of: app), [:], found.product.referenceName)
        return model
    }

    private func promotion(_ promoted: [PromotedProduct], _ words: ImageWords) -> ConsoleSection {
        let link = PageLink(PromotionPage.path(app), [:], words.promotion)
        if promoted.contains(where: { $0.product == product }) {
            return ConsoleSection(heading: words.promote, paragraphs: [words.isPromoted], links: [link])
        }
        return ConsoleSection(
            heading: words.promote, paragraphs: [words.promoteNote],
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "before", hiddenValue: promoted.summary)],
                    buttons: [.init(decision: "promote", label: words.promote)])
            ], links: [link])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let purposes: [RegistrationImage.Purpose] = [.promotion, .review]
        if try await ImageForms.carryOut(form, visit, app: app, product: product, of: purposes) {
            return .visit("\(Self.path(product, of: app))?done=saved")
        }
        guard form.decision == "promote" else { throw form.unknown }
        try await visit.service.arrangingPromotions()(
            .add, product, of: app, before: form["before"], by: visit.user)
        return .visit("\(PromotionPage.path(app))?done=saved")
    }
}
