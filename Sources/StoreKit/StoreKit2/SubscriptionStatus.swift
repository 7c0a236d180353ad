// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// The state of a subscription.
    public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
        /// The number, as in the App Store Server API.
        public let rawValue: Int

        /// A state with a number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The period runs.
        public static let subscribed = Product.SubscriptionInfo.RenewalState(rawValue: 1)
        /// The period has ended.
        public static let expired = Product.SubscriptionInfo.RenewalState(rawValue: 2)
        /// The charge failed, and the store tries it again.
        public static let inBillingRetryPeriod = Product.SubscriptionInfo.RenewalState(rawValue: 3)
        /// The charge failed, and the subscription can be used meanwhile.
        public static let inGracePeriod = Product.SubscriptionInfo.RenewalState(rawValue: 4)
        /// It was refunded.
        public static let revoked = Product.SubscriptionInfo.RenewalState(rawValue: 5)

        /// The name for a customer, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
        public var localizedDescription: String {
            switch self {
            case .subscribed: "Subscribed"
            case .expired: "Expired"
            case .inBillingRetryPeriod: "In Billing Retry Period"
            case .inGracePeriod: "In Grace Period"
            case .revoked: "Revoked"
            default: "\(rawValue)"
            }
        }
    }

    /// A customer's subscription.
    public struct Status: Equatable, Hashable, Sendable {
        /// The state at the time of the call.
        public let state: Product.SubscriptionInfo.RenewalState
        /// The newest period.
        public let transaction: VerificationResult<Transaction>
        /// The renewal.
        public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>

        /// The status at a time. It is decided from the signed values, verified
        /// or not: read the verification before it is relied on.
        init(
            _ transaction: VerificationResult<Transaction>,
            _ renewal: VerificationResult<Product.SubscriptionInfo.RenewalInfo>, at now: Date
        ) {
            self.transaction = transaction
            renewalInfo = renewal
            let (period, info) = (transaction.unsafePayloadValue, renewal.unsafePayloadValue)
            if period.revocationDate != nil {
                state = .revoked
            } else if let end = period.expirationDate, end > now {
                state = .subscribed
            } else if let end = info.gracePeriodExpirationDate, end > now {
                state = .inGracePeriod
            } else {
                state = info.isInBillingRetry ? .inBillingRetryPeriod : .expired
            }
        }
    }

    /// The customer's subscriptions of a group: the customer's own, and those
    /// that members of the family share.
    ///
    /// - Throws: ``StoreKitError``, `CancellationError`.
    public static func status(for groupID: String) async throws -> [Product.SubscriptionInfo.Status] {
        try await AgentHost.shared.perform(.subscriptionStatus) { agent in
            try await SignedAccess.prepare(agent)
            return try await statuses(of: groupID, agent)
        }
    }

    /// The customer's subscriptions of this group; see ``status(for:)``.
    public var status: [Product.SubscriptionInfo.Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// The subscription of which a transaction is a period; `nil` without one.
    ///
    /// - Throws: The errors of ``status(for:)``.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
        try await AgentHost.shared.perform(.subscriptionStatus) { agent in
            try await SignedAccess.prepare(agent)
            guard let row = try await agent.signedTransaction("\(transactionID)") else { return nil }
            let original = VerificationResult<Transaction>(row, of: agent).unsafePayloadValue.originalID
            return try await statuses(of: nil, agent).first {
                $0.transaction.unsafePayloadValue.originalID == original
            }
        }
    }

    /// The customer's subscriptions of a group, or of all groups.
    static func statuses(of group: String?, _ agent: Agent) async throws -> [Product.SubscriptionInfo.Status] {
        let now = Date(milliseconds: try await agent.currentAccountTime())
        return try await agent.signedRenewals(of: group).map { renewal, transaction in
            let period = VerificationResult<Transaction>(transaction, of: agent)
            return Status(period, VerificationResult(renewal, beside: period, of: agent), at: now)
        }
    }

    /// Whether the customer may have the introductory offer of a group: no
    /// transaction of the group has had one, verified or not, and none of its
    /// subscriptions runs (as on iOS since 17.4). The store decides again when
    /// the customer buys.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        let isRefused = try? await AgentHost.shared.perform { agent in
            try await SignedAccess.prepare(agent)
            var place: SignedRow.Place?
            repeat {
                let page = try await agent.signedPeriods(before: place)
                let offers = page.periods.filter { $0.subscriptionGroupIdentifier == groupID }.compactMap(\.offerType)
                if offers.contains(Int64(Transaction.OfferType.introductory.rawValue)) { return true }
                place = page.next
            } while place != nil
            return try await statuses(of: groupID, agent).contains { [.subscribed, .inGracePeriod].contains($0.state) }
        }
        return isRefused != true
    }

    /// Whether the customer may have the introductory offer of this group.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }
}
