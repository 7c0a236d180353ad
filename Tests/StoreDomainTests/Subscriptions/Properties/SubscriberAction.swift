// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// An action of a subscriber, of a seller, of an operator or of a bank, with
/// its values: two subscribers can do the same. The store may refuse it.
///
/// A `place` chooses one of the subscriber's subscriptions, or of the
/// unfinished transactions.
enum SubscriberAction: Sendable {
    case buy(String)
    /// Chooses the product of a next period on the customer's page.
    case choose(String, place: Int)
    case setRenewal(Bool, place: Int)
    case refund(place: Int)
    case reverseRefund(place: Int)
    case extend(days: Int, place: Int)
    case expire(place: Int)
    case renewNow(place: Int)
    /// Payments of more than a number of thousandths are declined.
    case limitCard(Int64)
    case live(in: String)
    case bar(Bool)
    case setGrace(days: Int)
    case recover
    case advance(seconds: Int64)
    case setBack(seconds: Int64)
    case speed(RenewalSpeed)
    /// The bank asks the customer about each payment, or doesn't any more.
    case askCustomer(Bool)
    /// The customer answers the bank about one payment.
    case answerBank(Bool)

    private static let products = ["small", "large", "other", "yearly", "weekly", "paper", "free"]

    /// An action whose consequences don't depend on the wall's time.
    static func plain(using generator: inout SeededGenerator) -> SubscriberAction {
        let place = Int.random(in: 0..<100, using: &generator)
        let yes = Bool.random(using: &generator)
        let product = products[Int.random(in: 0..<products.count, using: &generator)]
        switch Int.random(in: 0..<64, using: &generator) {
        case 0..<18: return .buy(product)
        case 18..<24: return .choose(product, place: place)
        case 24..<31: return .setRenewal(yes, place: place)
        case 31..<36: return .refund(place: place)
        case 36..<40: return .extend(days: 1 + place % 30, place: place)
        case 40..<43: return .expire(place: place)
        case 43..<47: return .renewNow(place: place)
        // Between the prices of a paper and of the small basket, too.
        case 47..<54: return .limitCard([0, 3000, .max, .max][place % 4])
        case 54..<56: return .live(in: yes ? "DEU" : "USA")
        case 56..<58: return .bar(yes)
        case 60..<64: return .reverseRefund(place: place)
        default: return .setGrace(days: [0, 3, 16, 28][place % 4])
        }
    }

    static func random(using generator: inout SeededGenerator) -> SubscriberAction {
        let yes = Bool.random(using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<55: return plain(using: &generator)
        case 55..<85: return .advance(seconds: length(using: &generator))
        case 85..<88: return .setBack(seconds: Int64.random(in: 1...(40 * 86_400), using: &generator))
        case 88..<91:
            let speeds: [RenewalSpeed] = [.realTime, .realTime, .monthIn1Hour, .monthIn5Minutes, .monthIn30Seconds]
            return .speed(speeds[Int.random(in: 0..<speeds.count, using: &generator)])
        case 91..<93: return .askCustomer(yes)
        case 93..<98: return .answerBank(yes)
        default: return .recover
        }
    }

    /// From seconds, in which shortened periods end, to months.
    static func length(using generator: inout SeededGenerator) -> Int64 {
        let longest: Int64 = [3600, 2 * 86_400, 20 * 86_400, 120 * 86_400][Int.random(in: 0..<4, using: &generator)]
        return Int64.random(in: 1...longest, using: &generator)
    }

    /// Carries the action out, unless the store refuses it.
    func perform(by anna: Subscriber) async throws {
        switch self {
        case .buy(let product): try await Self.buy(product, anna)
        case .refund(let place): try await Self.refund(place, anna)
        case .reverseRefund(let place): try await Self.reverseRefund(place, anna)
        case .limitCard(let limit): anna.store.cardLimit.milliunits = limit
        case .setGrace(let days):
            try await SettingGracePeriod(anna.store.context)(
                days: days, of: BundleIdentifier(TestStore.bundleIdentifier))
        case .recover: try await anna.store.recover()
        // It isn't refused: an error is a mistake.
        case .advance(let seconds): try await anna.advance(.by(.seconds(seconds)))
        case .setBack(let seconds): try await allowingRefusal { try await anna.advance(.by(.seconds(-seconds))) }
        case .speed(let speed): try await anna.advance(.speed(speed))
        case .live(let country): try await Self.change(.init(storefront: country), anna)
        case .bar(let isBarred): try await Self.change(.init(switches: [.barred: isBarred]), anna)
        case .askCustomer(let asks):
            try await anna.store.answerPayments { answer in
                guard asks else { return answer = SandboxAnswer() }
                answer.lifetime = .seconds(300 * 86_400)
            }
        case .answerBank(let isConfirmed): try await Self.answerBank(isConfirmed, anna.store)
        case .choose, .setRenewal, .extend, .expire, .renewNow: try await change(anna)
        }
    }

    /// Carries out a change of one subscription.
    private func change(_ anna: Subscriber) async throws {
        let context = anna.store.context
        let account = anna.account.identifier
        let all = try await anna.subscriptions().map(\.subscription)
        guard !all.isEmpty else { return }
        try await allowingRefusal {
            switch self {
            case .choose(let product, let place):
                try await ManagingSubscriptions(context).choose(
                    ProductIdentifier(product), of: all[place % all.count].original, account: account)
            case .setRenewal(let renews, let place):
                try await SettingRenewal(context)(renews, of: all[place % all.count].original, account: account)
            case .extend(let days, let place):
                let order = RenewalExtension(
                    days: days, reason: .outage, request: RenewalExtensionIdentifier(UUID().uuidString))
                _ = try await ExtendingSubscription(context)(
                    TransactionIdentifier(all[place % all.count].original), by: order)
            case .expire(let place):
                try await ExpiringSubscription(context)(all[place % all.count].original, account: account)
            case .renewNow(let place):
                try await anna.store.service.renewNow(all[place % all.count].original, of: account)
            default: break
            }
        }
    }

    private static func change(_ change: ChangingAccount.Change, _ anna: Subscriber) async throws {
        try await allowingRefusal { _ = try await anna.store.service.change(account: anna.account.email, change) }
    }

    /// Presses Buy if the store shows a sheet. The bank may ask the customer.
    private static func buy(_ product: String, _ anna: Subscriber) async throws {
        let answer = try await anna.phone.ask(product, request: UUID().uuidString)
        guard answer.status == .authorise else { return }
        let token = try anna.phone.token(answer.sheet)
        try await allowingRefusal { _ = try await anna.store.service.buy(onSheet: token, as: anna.account, shown: nil) }
    }

    /// Refunds an unfinished transaction that has cost something.
    private static func refund(_ place: Int, _ anna: Subscriber) async throws {
        let costly = try await anna.store.context.database.read { connection in
            try connection.rows("SELECT transaction_id FROM purchase WHERE milliunits > 0").map { row -> String in
                try row.get("transaction_id")
            }
        }
        let paid = try await anna.phone.queue().filter { costly.contains($0.transactionIdentifier) }
        guard !paid.isEmpty else { return }
        let transaction = TransactionIdentifier(paid[place % paid.count].transactionIdentifier)
        try await allowingRefusal { _ = try await anna.store.service.refund(transaction) }
    }

    /// Takes back the refund of a period.
    private static func reverseRefund(_ place: Int, _ anna: Subscriber) async throws {
        let refunded = try await anna.store.context.database.read { connection in
            try connection.rows(
                """
                SELECT transaction_id FROM purchase WHERE account_id = $1 AND revoked_at IS NOT NULL ORDER BY revision
                """, [anna.account.identifier]
            ).map { row -> String in try row.get("transaction_id") }
        }
        guard !refunded.isEmpty else { return }
        let transaction = TransactionIdentifier(refunded[place % refunded.count])
        try await allowingRefusal { _ = try await anna.store.service.reverseRefund(of: transaction) }
    }

    private static func answerBank(_ isConfirmed: Bool, _ store: TestStore) async throws {
        guard let payment = try await store.payment("pending") else { return }
        try await store.service.answer(payment, isConfirmed: isConfirmed)
        try await store.settlePayments()
    }
}
