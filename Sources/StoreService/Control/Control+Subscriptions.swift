// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The calls about subscriptions and the grace periods of apps.
extension StoreService {
    /// Carries out one of the calls `subscriptions`, `setRenewal`,
    /// `choosePlan`, `shareSubscription`, `expireSubscription`,
    /// `renewSubscription`, `extendSubscription`, `extendSubscribers` and
    /// `setGracePeriod`.
    func controlSubscriptions(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .setRenewal:
            let call = try decode(Control.SetRenewalCall.self, from: body, of: verb.rawValue)
            let found = try await FindingSubscription(context)(TransactionIdentifier(call.transaction))
            let asked = try await SettingRenewal(context)(call.renews, of: found.original, account: found.account)
            return try encode(try await subscription(found, asked))
        case .choosePlan:
            let call = try decode(Control.ChoosePlanCall.self, from: body, of: verb.rawValue)
            let found = try await FindingSubscription(context)(TransactionIdentifier(call.transaction))
            let asked = try await ManagingSubscriptions(context).choose(
                ProductIdentifier(call.product), of: found.original, account: found.account)
            return try encode(try await subscription(found, asked))
        case .shareSubscription:
            let call = try decode(Control.ShareSubscriptionCall.self, from: body, of: verb.rawValue)
            let found = try await FindingSubscription(context)(TransactionIdentifier(call.transaction))
            try await SettingFamilySharing(context)(call.isShared, of: found.original, account: found.account)
            return try encode(try await subscription(found))
        case .expireSubscription, .renewSubscription:
            let call = try decode(Control.TransactionCall.self, from: body, of: verb.rawValue)
            let found = try await FindingSubscription(context)(TransactionIdentifier(call.transaction))
            if verb == .expireSubscription {
                try await ExpiringSubscription(context)(found.original, account: found.account)
            } else {
                try await renewNow(found.original, of: found.account)
            }
            return try encode(try await subscription(found))
        case .extendSubscription:
            let call = try decode(Control.ExtendSubscriptionCall.self, from: body, of: verb.rawValue)
            let extended = try await ExtendingSubscription(context)(
                TransactionIdentifier(call.transaction),
                by: RenewalExtension(days: call.days, reason: call.reason, identifier: call.identifier))
            return try encode(Control.ExtendedAnswer(extended))
        case .extendSubscribers:
            let call = try decode(Control.ExtendSubscribersCall.self, from: body, of: verb.rawValue)
            let page = try await ExtendingSubscription(context)(
                subscribersOf: ProductIdentifier(call.product), in: BundleIdentifier(call.bundle),
                by: RenewalExtension(days: call.days, reason: call.reason, identifier: call.identifier),
                after: call.after.map { OriginalTransactionIdentifier($0) })
            return try encode(Control.ExtendSubscribersAnswer(page))
        case .setGracePeriod:
            let call = try decode(Control.SetGracePeriodCall.self, from: body, of: verb.rawValue)
            try await SettingGracePeriod(context)(days: call.days, of: BundleIdentifier(call.bundle))
            return try encode(call)
        default:
            let call = try decode(Control.SubscriptionsCall.self, from: body, of: verb.rawValue)
            let account = try await account(call.email).identifier
            return try encode(
                Control.SubscriptionsAnswer(
                    subscriptions: try await subscriptions(of: account, in: call.bundle.map { BundleIdentifier($0) })))
        }
    }

    private func subscriptions(
        of account: AccountIdentifier, in bundleIdentifier: BundleIdentifier?
    ) async throws -> [Control.SubscriptionAnswer] {
        let listed = try await ListingSubscriptions(context)(of: account, bundleIdentifier: bundleIdentifier)
        let events = try await ListingSubscriptionEvents(context).recent(of: account)
        return listed.map { one in
            Control.SubscriptionAnswer(one, events.filter { $0.original == one.subscription.original })
        }
    }

    /// The answer about one subscription, with the request that a change of it
    /// waits for.
    ///
    /// - Throws: `DomainError` `notFound`.
    func subscription(
        _ found: FindingSubscription.Found, _ asked: DeviceRequest? = nil
    ) async throws -> Control.SubscriptionAnswer {
        let all = try await subscriptions(of: found.account, in: nil)
        guard var one = all.first(where: { $0.subscription == found.original.rawValue }) else {
            throw DomainError(.notFound, "There is no subscription with the number \(found.original).")
        }
        one.request = asked?.transactionIdentifier?.rawValue
        return one
    }
}

extension Control.SubscriptionAnswer {
    init(_ listed: ListingSubscriptions.Listed, _ events: [DatedEvent]) {
        let state = listed.state
        self.init(
            subscription: listed.subscription.original.rawValue,
            bundle: listed.subscription.bundleIdentifier.rawValue, group: listed.subscription.group.rawValue,
            product: state.period.product.rawValue, status: Self.name(of: state.status(at: listed.now)),
            paidUntil: state.end.iso8601, graceUntil: state.failure?.graceEnd?.iso8601,
            retryUntil: state.isInRetry ? state.retryEnd.iso8601 : nil, renews: state.renews,
            nextProduct: state.renews ? state.nextProduct.rawValue : nil,
            expirationIntent: state.expirationReason(at: listed.now)?.rawValue,
            transaction: state.period.transaction.rawValue, priceIncrease: Control.PriceIncreaseAnswer(state),
            events: events.map(Control.SubscriptionEventAnswer.init))
    }

    private static func name(of status: SubscriptionState.Status) -> String {
        switch status {
        case .active: "active"
        case .expired: "expired"
        case .billingRetry: "billing retry"
        case .billingGracePeriod: "grace period"
        case .revoked: "revoked"
        }
    }
}

extension Control.ExtendedAnswer {
    init(_ extended: ExtendingSubscription.Extended) {
        self.init(subscription: extended.original.rawValue, until: extended.expires.iso8601)
    }
}

extension Control.ExtendSubscribersAnswer {
    init(_ page: ExtendingSubscription.Page) {
        self.init(
            extended: page.extended.map(Control.ExtendedAnswer.init),
            refused: page.refused.map {
                Control.NotExtendedAnswer(subscription: $0.original.rawValue, message: $0.error.message)
            }, next: page.next?.rawValue)
    }
}

extension RenewalExtension {
    private static let reasons: [(name: String, reason: Reason)] = [
        ("undeclared", .undeclared), ("satisfaction", .satisfaction), ("other", .other), ("outage", .outage),
    ]

    /// Makes an order from the values of a call.
    ///
    /// - Throws: `DomainError` `invalid` for an unknown reason.
    fileprivate init(days: Int, reason name: String, identifier: String) throws {
        guard let reason = Self.reasons.first(where: { $0.name == name })?.reason else {
            let names = Self.reasons.map(\.name).joined(separator: ", ")
            throw DomainError(.invalid, "There is no reason \"\(name.prefix(64))\". The reasons are \(names).")
        }
        self.init(days: days, reason: reason, request: RenewalExtensionIdentifier(identifier))
    }
}
