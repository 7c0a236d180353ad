// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

@available(iOS 16.0, visionOS 1.0, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension Message {
    /// The messages for this customer, for as long as the app runs. Each listener
    /// receives each message once, and again after the app's next launch.
    public static var messages: Message.Messages { Messages() }

    /// The messages for this customer.
    public struct Messages: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Message

        /// Waits for messages.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let feed = MessageFeed()

            /// The next message; `nil` when the task is cancelled or StoreKit
            /// can't start.
            public mutating func next() async -> Message? {
                try? await AgentHost.shared.follow { [feed] in try await feed.next($0) }
            }
        }

        /// Begins to wait for messages.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}

/// The messages for one listener.
private actor MessageFeed {
    private weak var agent: Agent?
    /// The messages that the listener has received and whose reason lasts.
    private var received: Set<Message> = []

    init() {
        TransactionHub.shared.countMessageListeners(1)
    }

    deinit {
        TransactionHub.shared.countMessageListeners(-1)
    }

    /// The next message; `nil` when the app uses another agent.
    func next(_ agent: Agent) async throws -> Message? {
        if self.agent !== agent { received = [] }
        self.agent = agent
        return try await agent.listen { _ in try await message(agent) }
    }

    /// A message that the listener hasn't received.
    private func message(_ agent: Agent) async throws -> Message? {
        try await agent.useSignedTransactions()
        let messages = try await Self.messages(agent)
        received.formIntersection(messages)
        guard let message = messages.first(where: { !received.contains($0) }) else { return nil }
        received.insert(message)
        return message
    }

    /// The messages whose reasons last: those that the journal and the verified
    /// renewals have.
    private static func messages(_ agent: Agent) async throws -> [Message] {
        var messages = try await agent.priceIncreases().map { Message(.priceIncreaseConsent, $0) }
        for (renewal, transaction) in try await agent.signedRenewals() {
            let period = VerificationResult<Transaction>(transaction, of: agent)
            let result = VerificationResult<SubscriptionRenewalInfo>(renewal, beside: period, of: agent)
            guard case .verified(let info) = result else { continue }
            if info.isInBillingRetry {
                messages.append(Message(.billingIssue, transaction.transactionIdentifier))
            }
            if let offer = info.eligibleWinBackOfferIDs.first {
                messages.append(
                    Message(
                        .winBackOffer, "\(transaction.transactionIdentifier) \(offer)",
                        offer: .init(product: info.currentProductID, offer: offer)))
            }
        }
        return messages
    }
}
