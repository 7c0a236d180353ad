// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// An app on the store's pages: its icon, and the products that it promotes,
/// in their order.
struct PromotionPage: ConnectPage {
    static let action: TeamAction? = .seeApps
    static let formLimit = ImageForms.formLimit

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/promotion" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let registration = try await visit.service.appReader.app(app, as: visit.user)
        let images = try await visit.service.imageReader.all(of: nil, in: app, as: visit.user)
        let promoted = try await visit.service.promotionReader.list(of: app, as: visit.user)
        let path = AppPage.path(app)
        let forms = ImageForms(visit) { "\(path)/images/\($0)" }
        var model = ConsoleModel(
            visit, at: .apps, title: forms.words.promotion,
            sections: [
                list(promoted, forms.words, visit),
                forms.section(.icon, saved: images[.icon], action: .promoteProducts),
            ])
        model.above = PageLink(path, [:], registration.name)
        return model
    }

    private func list(
        _ promoted: [ArrangingPromotions.Entry], _ words: ImageWords, _ visit: ConnectVisit
    ) -> ConsoleSection {
        let before = promoted.map(\.promoted).summary
        let mayChange = visit.user.role.may(.promoteProducts)
        return ConsoleSection(
            heading: words.promoted, paragraphs: [words.promotedNote],
            entries: promoted.enumerated().map { place, entry in
                let product = entry.promoted.product
                var line = ConsoleEntry(
                    name: product.rawValue, address: ProductImagesPage.path(product, of: app),
                    details: entry.promoted.isVisible ? [] : [words.hiddenNote])
                line.image = entry.image.map { "\(ProductImagesPage.path(product, of: app))/\($0.digest)" }
                if mayChange {
                    line.forms = [
                        changes(
                            of: entry.promoted, before, words, isFirst: place == 0, isLast: place == promoted.count - 1)
                    ]
                }
                return line
            },
            empty: promoted.isEmpty ? words.noPromoted : nil)
    }

    private func changes(
        of promoted: PromotedProduct, _ before: String, _ words: ImageWords, isFirst: Bool, isLast: Bool
    ) -> ConsoleForm {
        var buttons: [ConsoleForm.Button] = []
        if !isFirst { buttons.append(.init(decision: "up", label: words.up)) }
        if !isLast { buttons.append(.init(decision: "down", label: words.down)) }
        buttons.append(
            promoted.isVisible
                ? .init(decision: "hide", label: words.hide) : .init(decision: "show", label: words.show))
        buttons.append(.init(decision: "remove", label: words.end, isGrave: true))
        return ConsoleForm(
            hidden: [
                .init(hiddenName: "product", hiddenValue: promoted.product.rawValue),
                .init(hiddenName: "before", hiddenValue: before),
            ], buttons: buttons)
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        if try await ImageForms.carryOut(form, visit, app: app, product: nil, of: [.icon]) {
            return .visit("\(Self.path(app))?done=saved")
        }
        guard let change = ArrangingPromotions.Change(rawValue: form.decision), change != .add else {
            throw form.unknown
        }
        try await visit.service.arrangingPromotions()(
            change, ProductIdentifier(form["product"]), of: app, before: form["before"], by: visit.user)
        return .visit("\(Self.path(app))?done=saved")
    }
}
