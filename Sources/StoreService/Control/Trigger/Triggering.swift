// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDomain

/// Carries out the history of a notification for one tester, by the calls of
/// the remote control.
struct Triggering {
    let service: StoreService
    let kind: NotificationKind
    let app: App
    let email: String
    let storefront: Storefront
    let products: TriggerProducts
    /// The notifications of the tester, or of a member of the family, that were
    /// there before.
    private let earlier: Set<String>
    /// The tester, and the member of the family.
    private var accounts: Set<AccountIdentifier>
    private var transaction = ""
    private var product: Product?
    private var request = ""
    private var member: String?

    /// How many events a history waits for at most. A retry has some dozens.
    private static let mostEvents = 200
    /// How long the end of a closed account's period is awaited.
    private static let longestWait: Duration = .seconds(20)

    init(
        _ kind: NotificationKind, in app: App, email: String, storefront: Storefront, products: TriggerProducts,
        service: StoreService
    ) async throws {
        self.kind = kind
        self.app = app
        self.email = email
        self.storefront = storefront
        self.products = products
        self.service = service
        accounts = [try await service.account(email).identifier]
        earlier = Set(try await Self.newest(of: app, service).map(\.notification.identifier))
    }

    private static func newest(
        of app: App, _ service: StoreService
    ) async throws -> [ListingNotifications.Listed] {
        try await ListingNotifications(service.context)(of: app.bundleIdentifier)
    }

    /// Carries out the steps.
    ///
    /// - Returns: The identifier of the notification.
    /// - Throws: The errors of the calls; `DomainError` `invalid` when the
    ///   steps have caused no such notification.
    mutating func run(_ steps: [TriggerRecipe.Step]) async throws -> String {
        do {
            for step in steps { try await carryOut(step) }
        } catch let refusal as ServerError {
            // Such as the removal of the last address while the history is made.
            throw DomainError(.invalid, refusal.message)
        }
        guard let identifier = try await found(kind) else {
            throw DomainError(.invalid, "The history of \(kind.name) has caused no such notification.")
        }
        return identifier
    }

    /// Takes back the rules of the tester's renewals, and the answers to the
    /// tester's charges. The steps change nothing for other accounts.
    ///
    /// - Throws: The error of the first step that can't be taken back, after
    ///   the others were.
    func restore(_ steps: [TriggerRecipe.Step]) async throws {
        var failure: (any Error)?
        for step in steps {
            do {
                try await restore(step)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func restore(_ step: TriggerRecipe.Step) async throws {
        switch step {
        case .setGrace, .stopSelling: try await SettingTesterRules(service.context)(TesterRules(), email: email)
        case .setCharges: try await call(.setCharges(declined: false))
        default: break
        }
    }

    /// The newest notification of a kind that the history has caused.
    private func found(_ kind: NotificationKind) async throws -> String? {
        try await Self.newest(of: app, service).first {
            $0.notification.version == .two && $0.notification.kind == kind
                && !earlier.contains($0.notification.identifier)
                && $0.notification.account.map(accounts.contains) ?? true
        }?.notification.identifier
    }

    private mutating func carryOut(_ step: TriggerRecipe.Step) async throws {
        switch step {
        case .buy(let part): try await buy(products.product(part))
        case .buyWithOffer(let part): try await buyWithOffer(products.product(part))
        case .joinFamily: try await joinFamily()
        case .askForRefund: try await askForRefund()
        case .wait: try await wait(for: kind)
        case .waitFor(let kind): try await wait(for: kind)
        case .extendSubscribers: try await extendSubscribers()
        case .closeAccount: try await closeAccount()
        case .orderTest:
            _ = try await ReadingNotificationHistory(service.context).orderTest(in: app.bundleIdentifier)
        default: try await call(step)
        }
    }

    /// Carries out a step that is one call.
    private func call(_ step: TriggerRecipe.Step) async throws {
        let bought = Control.TransactionCall(transaction: transaction)
        switch step {
        case .choose(let part):
            let chosen = try products.product(part).productIdentifier.rawValue
            try await make(.choosePlan, Control.ChoosePlanCall(transaction: transaction, product: chosen))
        case .setRenewal(let renews):
            try await make(.setRenewal, Control.SetRenewalCall(transaction: transaction, renews: renews))
        case .renewNow: try await make(.renewSubscription, bought)
        case .setGrace(let days):
            var rules = TesterRules()
            rules.graceDays = days
            try await SettingTesterRules(service.context)(rules, email: email)
        case .stopSelling:
            var rules = TesterRules()
            rules.endsUnsold = true
            try await SettingTesterRules(service.context)(rules, email: email)
        case .setCharges(let isDeclined):
            var answer = Control.SetPaymentAnswerCall(account: email, answer: isDeclined ? "decline" : nil)
            // The process may die before it takes the answer back.
            answer.times = isDeclined ? Int64(Self.mostEvents) : nil
            try await make(.setPaymentAnswer, answer)
        case .extend:
            try await make(
                .extendSubscription,
                Control.ExtendSubscriptionCall(
                    transaction: transaction, days: 1, reason: "other",
                    identifier: service.context.random.hexadecimal(bytes: 16)))
        case .askForConsent:
            let price = product?.price(in: storefront) ?? Money(milliunits: 0, currency: storefront.currency)
            let higher = Money(milliunits: price.milliunits + 1000, currency: price.currency)
            try await make(
                .askPriceConsent, Control.AskPriceConsentCall(transaction: transaction, price: higher.decimal))
        case .answerConsent(let agrees):
            try await make(
                .answerPriceConsent, Control.AnswerPriceConsentCall(transaction: transaction, agrees: agrees))
        case .declineRefund: try await make(.declineRefund, Control.RefundRequestCall(request: request))
        case .refund: try await make(.refund, Control.RefundCall(transaction: transaction))
        case .reverseRefund:
            try await make(.reverseRefund, Control.ReverseRefundCall(transaction: transaction))
        default: try await make(.removeFamilyMember, Control.FamilyCall(email: member ?? email))
        }
        try await sharePurchases()
    }

    /// Completes the changes of the family's purchases. The store's own round may be at them: the next step must not
    /// begin before.
    private func sharePurchases() async throws {
        try await SharingPurchases(service.context)(of: accounts.sorted { $0.rawValue < $1.rawValue })
    }

    /// Sends a call of the remote control, and drops its answer.
    private func make(_ verb: Control.Verb, _ call: some Encodable) async throws {
        _ = try await service.control(verb, try StoreCoding.encode(call))
    }

    private mutating func buy(_ product: Product, offer: String? = nil) async throws {
        let call = Control.BuyCall(
            email: email, bundle: app.bundleIdentifier.rawValue, product: product.productIdentifier.rawValue,
            offer: offer)
        let answer = try StoreCoding.decode(
            Control.TransactionAnswer.self, from: try await service.control(.buy, try StoreCoding.encode(call)))
        guard !["failed", "deferred", "interrupted"].contains(answer.status) else {
            throw DomainError(
                .invalid,
                "The purchase of \(answer.product) is \(answer.status). \(answer.message ?? "Try another account.")")
        }
        (transaction, self.product) = (answer.transaction, product)
        try await sharePurchases()
    }

    /// Buys with the first promotional offer of a product.
    private mutating func buyWithOffer(_ product: Product) async throws {
        guard let offer = product.promotionalOffer else {
            throw DomainError(.invalid, "\(product.productIdentifier) has no promotional offer.")
        }
        try await buy(product, offer: offer.identifier)
    }

    private mutating func askForRefund() async throws {
        let call = Control.AskRefundCall(transaction: transaction, reason: "unintended")
        let answer = try await service.control(.askRefund, try StoreCoding.encode(call))
        request = try StoreCoding.decode(Control.RefundRequestAnswer.self, from: answer).request
    }

    private mutating func joinFamily() async throws {
        let other = "member-\(service.context.random.hexadecimal(bytes: 4))@example.com"
        try await service.addTester(other, in: storefront)
        member = other
        accounts.insert(try await service.account(other).identifier)
        try await make(.beginFamily, Control.FamilyCall(email: email))
        // The clocks of a family are one: the member's becomes the organiser's.
        try await make(.addFamilyMember, Control.FamilyMemberCall(email: other, role: "adult", organiser: email))
    }

    /// Extends the subscriptions of all subscribers of the bought product.
    private func extendSubscribers() async throws {
        guard let product else { return }
        let order = RenewalExtension(
            days: 1, reason: .other,
            request: RenewalExtensionIdentifier(service.context.random.hexadecimal(bytes: 16)))
        try await OrderingMassExtension(service.context)(
            product.productIdentifier, in: app.bundleIdentifier, by: order)
        for _ in 0..<Self.mostEvents {
            if try await found(kind) != nil { return }
            await service.carryOutMassExtensions()
        }
    }
}

extension Triggering {
    /// Lets time pass for the tester until a notification of a kind is there.
    private func wait(for kind: NotificationKind) async throws {
        for _ in 0..<Self.mostEvents {
            if try await found(kind) != nil { return }
            try await move(Control.MoveClockCall(email: email, toNextEvent: true))
        }
    }

    /// Moves the tester's clock, and waits until nothing is due any more.
    private func move(_ call: Control.MoveClockCall) async throws {
        let begun = try await service.control(.moveClock, try StoreCoding.encode(call))
        var next = try StoreCoding.decode(Control.MoveClockAnswer.self, from: begun).page.next
        while let after = next {
            let call = Control.SubscriptionEventsCall(email: email, after: after, waits: true)
            let page = try await service.control(.subscriptionEvents, try StoreCoding.encode(call))
            next = try StoreCoding.decode(Control.SubscriptionEventsAnswer.self, from: page).next
        }
    }

    /// Closes the account a moment before the end of its period, and waits for
    /// that end: the clock of a closed account can't be moved.
    private func closeAccount() async throws {
        let found = try await FindingSubscription(service.context)(TransactionIdentifier(transaction))
        let ends = try await service.subscription(found).paidUntil
        guard let end = StoreTime(iso8601: ends) else { return }
        let moment = StoreTime(milliseconds: end.milliseconds - 2000)
        try await move(Control.MoveClockCall(email: email, to: moment.iso8601))
        try await make(.closeAccount, Control.CloseAccountCall(email: email))
        let limit = service.now + Self.longestWait
        while try await self.found(kind) == nil, service.now < limit {
            await service.renewSubscriptions()
            try await service.clock.sleep(service.now + .milliseconds(200))
        }
    }
}
