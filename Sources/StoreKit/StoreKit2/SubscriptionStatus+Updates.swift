// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.Status {
    /// The customer's subscriptions after each change of their signed values,
    /// for as long as the app runs. Changes count from the beginning of the
    /// loop, or the making of the iterator.
    public static var updates: Product.SubscriptionInfo.Status.Statuses { Statuses() }

    /// The subscriptions after each change.
    public struct Statuses: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Product.SubscriptionInfo.Status

        /// Waits for the changes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let feed: StatusFeed
            private let beginning: Task<Void, any Error>?

            init() {
                let feed = StatusFeed()
                self.feed = feed
                beginning = AgentHost.shared.begin { try await feed.begin($0) }
            }

            /// The subscription after the next change; `nil` when the task is
            /// cancelled or StoreKit can't start.
            public mutating func next() async -> Product.SubscriptionInfo.Status? {
                _ = await beginning?.result
                return try? await AgentHost.shared.follow { [feed] in try await feed.next($0) }
            }
        }

        /// Begins to wait for changes.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}

/// The changed subscriptions for one listener.
private actor StatusFeed {
    typealias Status = Product.SubscriptionInfo.Status

    private weak var agent: Agent?
    /// By first transaction: the status that the listener knows.
    private var known: [UInt64: Status] = [:]

    /// Reads the status after which changes are received.
    func begin(_ agent: Agent) async throws {
        try await agent.useSignedTransactions()
        begin(agent, with: try await Product.SubscriptionInfo.statuses(of: nil, agent))
    }

    private func begin(_ agent: Agent, with statuses: [Status]) {
        self.agent = agent
        known = Dictionary(statuses.map { ($0.subscription, $0) }) { $1 }
    }

    /// The next change; `nil` when the app uses another agent.
    func next(_ agent: Agent) async throws -> Status? {
        try await agent.listen { _ in try await change(agent) }
    }

    /// A change that the listener hasn't received.
    private func change(_ agent: Agent) async throws -> Status? {
        try await agent.useSignedTransactions()
        let statuses = try await Product.SubscriptionInfo.statuses(of: nil, agent)
        if self.agent !== agent { begin(agent, with: statuses) }
        let changed = statuses.first { $0.differs(from: known[$0.subscription]) }
        if let changed { known[changed.subscription] = changed }
        return changed
    }
}

extension Product.SubscriptionInfo.Status {
    fileprivate var subscription: UInt64 { transaction.unsafePayloadValue.originalID }

    /// Whether the subscription has changed. The store signs a value again in
    /// each answer, with another date and nonce.
    fileprivate func differs(from other: Self?) -> Bool {
        guard let other else { return true }
        return state != other.state || transaction.facts != other.transaction.facts
            || renewalInfo.facts != other.renewalInfo.facts
    }
}

extension VerificationResult<Transaction> {
    fileprivate var facts: [String: String] { Facts.of(unsafePayloadValue.payload.members) }
}

extension VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
    fileprivate var facts: [String: String] { Facts.of(unsafePayloadValue.payload.members) }
}
