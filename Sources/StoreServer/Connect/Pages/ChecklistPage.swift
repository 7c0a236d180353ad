// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The check list of an app: the steps up to its first purchase, with a link to
/// the page on which a missing one is done.
struct ChecklistPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/checklist" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let list = try await visit.service.checklist(of: app, as: visit.user)
        let words = ChecklistWords.words(visit.language)
        let isComplete = list.isComplete(in: visit.environment)
        var model = ConsoleModel(
            visit, at: .apps, title: words.title,
            sections: [
                ConsoleSection(
                    paragraphs: [isComplete ? words.complete : words.lead],
                    entries: AppChecklist.steps(of: visit.environment).map { entry($0, list, visit, words) })
            ])
        model.above = PageLink(AppPage.path(app), [:], list.app.name)
        return model
    }

    private func entry(
        _ step: AppChecklist.Step, _ list: AppChecklist, _ visit: ConnectVisit, _ words: ChecklistWords
    ) -> ConsoleEntry {
        let isDone = list.isDone(step)
        let isOptional = step == .notifications
        let details = isDone ? [] : missing(step, list, visit, words)
        return ConsoleEntry(
            name: words.name(step), address: address(step, list, visit), details: details,
            note: isDone ? words.done : isOptional ? words.optional : words.missing)
    }

    /// The sentences about a step that isn't done.
    private func missing(
        _ step: AppChecklist.Step, _ list: AppChecklist, _ visit: ConnectVisit, _ words: ChecklistWords
    ) -> [String] {
        switch step {
        case .app: []
        case .product: [words.productMissing]
        case .sold: list.unsold.map { [unsold($0, visit, words)] } ?? [words.productMissing]
        case .tester: [words.testerMissing]
        case .request: [words.requestMissing]
        case .purchase: purchase(list, words)
        case .finish: [list.purchase == nil ? words.purchaseMissing : words.finishMissing]
        case .notifications: [words.notificationsMissing]
        }
    }

    private func unsold(
        _ product: ProductRegistration, _ visit: ConnectVisit, _ words: ChecklistWords
    ) -> String {
        let products = ProductWords.words(visit.language)
        let name = product.product.referenceName.isolated
        guard product.missing.isEmpty else {
            return words.fill(\.incomplete, ["product": name, "values": products.list(product.missing)])
        }
        return words.fill(\.notSold, ["product": name, "state": products.name(product.state(in: visit.environment))])
    }

    private func purchase(_ list: AppChecklist, _ words: ChecklistWords) -> [String] {
        guard let failure = list.request?.failure else { return [words.purchaseMissing] }
        return [words.purchaseMissing, words.fill(\.lastFailure, ["reason": failure.message.isolated])]
    }

    /// The page on which the step is done, or its result is; `nil` for a role
    /// that can't see it.
    private func address(_ step: AppChecklist.Step, _ list: AppChecklist, _ visit: ConnectVisit) -> String? {
        let role = visit.user.role
        switch step {
        case .app: return AppPage.path(app)
        case .product:
            return list.hasProducts || !role.may(.editProducts)
                ? AppPage.path(app) : "\(AppPage.path(app))/new-product?kind=Consumable"
        case .sold:
            let product = list.sold ?? list.unsold
            return product.map { ProductPage.path($0.product.productIdentifier, of: app) } ?? AppPage.path(app)
        case .tester: return role.may(.seeTesters) ? ConnectPlace.testers.rawValue : nil
        case .request: return live(visit)
        case .purchase: return list.purchase.map { transaction($0, role) } ?? live(visit)
        case .finish: return (list.finished ?? list.purchase).map { transaction($0, role) } ?? live(visit)
        case .notifications: return role.may(.manageServers) ? AddressesPage.path(app) : nil
        }
    }

    private func live(_ visit: ConnectVisit) -> String? {
        ConnectPlace.live.isShown(to: visit.user, in: visit.environment)
            ? PageLink(ConnectPlace.live.rawValue, ["app": app.rawValue], "").address : nil
    }

    private func transaction(_ purchase: Purchase, _ role: TeamRole) -> String? {
        role.may(.seeTransactions) ? TransactionPage.path(purchase.transactionIdentifier) : nil
    }
}
