// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAssembly
import StoreDomain
import StoreService
import StoreTestSupport

/// A member of a family, who uses the store's pages: each page is loaded first,
/// and confirmed later, with the terms that it has shown.
extension AbsentCustomer {
    private var identifier: String { account.account.identifier.rawValue }
    private var name: String { account.account.email }
    private var witness: AgreementWitness? { world.agreements }

    /// The page that the customer has loaded.
    private final class Page<Content>: @unchecked Sendable {  // because only the scheduler's thread touches it
        var content: Content?
    }

    /// A sheet with its token, the terms, and the act that confirms them.
    private struct Sheet {
        var token: String
        var request: String
        var shown: ShownTerms
        var product: String
        var bundle: String
        var code: String?
        var contact: SharedContact?
    }

    // MARK: Sheets

    /// Asks for a product in an app, and confirms its sheet.
    func shop(_ product: String, of bundle: String, sharesContact: Bool = false, acceptsRunning: Bool = true) {
        let call = PaymentCall(
            requestIdentifier: newRequest(), bundleIdentifier: bundle, productIdentifier: product, quantity: 1,
            acceptsRunning: acceptsRunning)
        world.note("\(name) asks for \(product) of \(bundle)\(sharesContact ? " and shares the contact" : "")")
        let page = Page<Sheet>()
        load({ [device, account] service in
            let answer = try await LocalStoreConnection(service).call(call, as: device)
            guard let token = Self.token(of: answer.sheet) else { return }
            let view = try await service.sheet(token, as: account.account)
            guard let shown = view.shown else { return }
            page.content = Sheet(
                token: token, request: call.requestIdentifier, shown: shown, product: product, bundle: bundle)
            guard sharesContact, !shown.bonus.isEmpty else { return }
            page.content?.contact = try SharedContact(
                name: "Somebody", email: "", postcode: "12345", of: account.account)
        }) { [self] in
            if let sheet = page.content { confirm(sheet) }
        }
    }

    /// Types a code on its sheet, and redeems it.
    func use(_ code: OfferedPlans.Code) {
        let call = RedemptionCall(requestIdentifier: newRequest(), bundleIdentifier: code.bundle)
        world.note("\(name) types \(code.text) of \(code.bundle)")
        let page = Page<Sheet>()
        load({ [device, account] service in
            let answer = try await LocalStoreConnection(service).call(call, as: device)
            guard let token = Self.token(of: answer.sheet) else { return }
            let terms = try await service.terms(of: code.text, onSheet: token, as: account.account)
            page.content = Sheet(
                token: token, request: call.requestIdentifier, shown: terms.shown, product: code.product,
                bundle: code.bundle, code: code.text)
        }) { [self] in
            if let sheet = page.content { confirm(sheet) }
        }
    }

    private func confirm(_ sheet: Sheet) {
        let terms = understood(sheet.shown)
        agree(terms.most, to: sheet.product, of: sheet.bundle, request: sheet.request) { [account] service in
            if let code = sheet.code {
                _ = try await service.redeem(code, onSheet: sheet.token, as: account.account, shown: terms.carried)
            } else {
                var carried = terms.carried
                if sheet.contact == nil { carried?.bonus = nil }
                _ = try await service.buy(
                    onSheet: sheet.token, as: account.account, shown: carried, contact: sheet.contact)
            }
        }
    }

    /// The highest price that a page names, and the terms that its form carries.
    private func understood(_ shown: ShownTerms) -> (most: Int64, carried: AgreedTerms?) {
        guard world.mistake == .increasesAreHidden, let prices = shown.prices.increased else {
            return (shown.prices.most, AgreedTerms(shown))
        }
        return (prices.before, nil)
    }

    // MARK: The page of subscriptions

    /// Loads the page of subscriptions, and makes one of its choices.
    func manage() {
        let page = Page<[ManagedSubscription]>()
        load({ [account] in page.content = try await $0.managedSubscriptions(of: account.account) }) { [self] in
            guard let managed = world.chance.pick(page.content ?? []) else { return }
            let original = managed.subscription.original
            if let increase = managed.priceIncrease, managed.asksForConsent, world.chance.happens(500) {
                return answer(increase, of: managed)
            }
            if managed.canTurnOff, world.chance.happens(250) {
                world.note("\(name) turns off \(original.rawValue.suffix(6))")
                return ask { [account] in
                    _ = try await $0.setRenewal(false, of: original, account: account.account)
                }
            }
            if managed.canTurnOn, let next = managed.next, world.chance.happens(700) {
                return choose(next, of: managed) { service, account, shown in
                    _ = try await service.setRenewal(true, of: original, account: account, shown: shown)
                }
            }
            guard let choice = world.chance.pick(managed.choices) else { return }
            choose(choice, of: managed) { service, account, shown in
                _ = try await service.choose(
                    choice.product.productIdentifier, of: original, account: account, shown: shown)
            }
        }
    }

    private func choose(
        _ choice: ManagedSubscription.Choice, of managed: ManagedSubscription,
        _ order: @escaping @Sendable (StoreService, Account, AgreedTerms?) async throws -> Void
    ) {
        let terms = understood(ShownTerms(choice.terms))
        agree(
            terms.most, to: choice.product.productIdentifier.rawValue,
            of: managed.subscription.bundleIdentifier.rawValue
        ) { [account] in try await order($0, account.account, terms.carried) }
    }

    private func answer(_ increase: PendingPriceIncrease, of managed: ManagedSubscription) {
        let original = managed.subscription.original
        guard world.chance.happens(600) else {
            world.note("\(name) refuses the price of \(original.rawValue.suffix(6))")
            return ask { [account] in
                _ = try await $0.answerPriceIncrease(false, of: original, account: account.account)
            }
        }
        let shown = ShownTerms(increase)
        agree(
            shown.prices.most, to: managed.state.period.product.rawValue,
            of: managed.subscription.bundleIdentifier.rawValue
        ) { [account] in
            _ = try await $0.answerPriceIncrease(
                true, of: original, account: account.account, shown: AgreedTerms(shown))
        }
    }

    // MARK: The page of a family

    /// Loads the requests of the family's children, and answers one.
    func answerChild() {
        let page = Page<[ChildRequest]>()
        load({ [account] in page.content = try await $0.childRequests(for: account.account).requests }) { [self] in
            guard let asked = world.chance.pick(page.content ?? []) else { return }
            let request = asked.transaction
            guard case .buys(let shown, _) = asked.outcome, world.chance.happens(800) else {
                world.note("\(name) declines \(request.rawValue.suffix(6))")
                return ask { [account] in try await $0.decline(request, by: account.account) }
            }
            let most = world.mistake == .approvalsHideTerms ? shown.price.milliunits : shown.prices.most
            agree(
                most, to: asked.productIdentifier.rawValue, of: asked.app.bundleIdentifier.rawValue,
                for: asked.child.account.rawValue, request: request.rawValue
            ) { [account] in
                _ = try await $0.approve(request, by: account.account, shown: AgreedTerms(shown))
            }
        }
    }

    // MARK: Messages

    /// Loads a page, and continues after the time in which a person reads it.
    private func load(_ question: @escaping @Sendable (StoreService) async throws -> Void, then: @escaping () -> Void) {
        world.ask(question) { [world] result in
            guard case .success = result else { return }
            world.scheduler.after(world.chance.pause(50..<1000, long: 1000..<20_000)) { then() }
        }
    }

    private func ask(_ order: @escaping @Sendable (StoreService) async throws -> Void) {
        world.ask(order) { _ in }
    }

    /// Sends an act to the store, and again if the answer is lost.
    private func agree(
        _ most: Int64, to product: String, of bundle: String, for owner: String? = nil, request: String = "",
        _ order: @escaping @Sendable (StoreService) async throws -> Void
    ) {
        guard
            let act = witness?.acts(
                identifier, for: owner ?? identifier, product, of: bundle, upTo: most, request: request)
        else { return }
        send(act, order, tries: 0)
    }

    private func send(
        _ act: AgreementWitness.Act, _ order: @escaping @Sendable (StoreService) async throws -> Void, tries: Int
    ) {
        world.ask(order) { [self] result in
            switch result {
            case .success: witness?.ended(act, in: 0)
            case .failure(let error as DomainError) where Self.refusals.contains(error.code):
                world.note("\(name) is refused: \(error.code)")
                // An attempt whose answer was lost may have been carried out.
                if tries == 0 { witness?.refused(act) } else { witness?.ended(act, in: Self.longest) }
            case .failure where tries < 4 && !world.isEnding:
                world.scheduler.after(Int64(world.chance.number(in: 1000..<8000))) { [self] in
                    send(act, order, tries: tries + 1)
                }
            case .failure: witness?.ended(act, in: Self.longest)
            }
        }
    }

    /// Milliseconds after which no process carries out a message any more, and
    /// the provider's late answers are handled.
    private static let longest: Int64 = 600_000

    /// The errors after which nothing has changed.
    private static let refusals: Set<DomainError.Code> = [
        .priceChanged, .notFound, .sheetExpired, .sheetUsed, .invalid, .decided, .codeUsed, .codeRedeemed,
        .codeNotEligible, .codeExpired, .codeUnknown, .codeRevoked, .wrongPassword,
    ]
}

extension ShownTerms {
    /// The prices of the terms, as their sentences name them: now, later, and
    /// the one that an increase asks for.
    struct Prices {
        var most: Int64
        /// The price before the increase that waits, and the one after it.
        var increased: (before: Int64, after: Int64)?
    }

    var prices: Prices {
        let words = then.split(separator: " ")
        let first = words.first.flatMap { Int64($0) } ?? 0
        guard let place = words.firstIndex(of: "then"), place + 1 < words.count, let after = Int64(words[place + 1])
        else {
            return Prices(most: max(price.milliunits, first))
        }
        return Prices(most: max(price.milliunits, first, after), increased: (first, after))
    }
}
