// SPDX-License-Identifier: Apache-2.0

import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// All transactions of the customer, the newest purchase first.
    ///
    /// Finished consumables are left out, unless they were refunded, or the
    /// app's Info.plist sets `SKIncludeConsumableInAppPurchaseHistory`.
    public static var all: Transaction.Transactions { Transactions(source: .all(product: nil)) }

    /// All transactions of a product, the newest purchase first; see ``all``.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func all(for productID: String) -> Transaction.Transactions {
        Transactions(source: .all(product: productID))
    }

    /// The verified transactions that entitle the customer to something now:
    /// non-consumables, the newest period of each subscription that runs or is
    /// in its grace period, and non-renewing subscriptions, whose end the app
    /// knows.
    public static var currentEntitlements: Transaction.Transactions {
        Transactions(source: .entitlements(product: nil))
    }

    /// The verified transactions that entitle the customer to a product now.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func currentEntitlements(for productID: String) -> Transaction.Transactions {
        Transactions(source: .entitlements(product: productID))
    }

    /// The verified transaction that entitles the customer to a product now;
    /// `nil` without one.
    @available(iOS, deprecated: 18.4)
    @available(macOS, deprecated: 15.4)
    @available(tvOS, deprecated: 18.4)
    @available(watchOS, deprecated: 11.4)
    @available(visionOS, deprecated: 2.4)
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        var iterator = Transactions(source: .entitlements(product: productID)).makeAsyncIterator()
        return await iterator.next()
    }

    /// The newest transaction of a product; `nil` without one. It may be
    /// refunded, or not verified, or a finished consumable, which ``all`` leaves
    /// out.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        try? await AgentHost.shared.perform { agent in
            try await SignedAccess.prepare(agent)
            return try await agent.signedTransactions(of: productID).first.map {
                VerificationResult<Transaction>($0, of: agent)
            }
        }
    }

    /// The transactions that the app has to deliver and finish, the newest
    /// purchase first.
    public static var unfinished: Transaction.Transactions { Transactions(source: .unfinished) }

    /// The transactions that no call of the app returns, as they happen:
    /// unfinished ones of earlier launches, renewals, purchases on other
    /// devices, approved purchases, and refunds.
    ///
    /// Every listener receives all of them, in its own time. Begin to listen at
    /// the app's launch.
    public static var updates: Transaction.Transactions { Transactions(source: .updates) }

    /// Tells the store that the app has delivered the purchase. An unfinished
    /// transaction is an update in each launch.
    ///
    /// When this returns, the finish is durable on the device, and the store
    /// gets it as soon as possible. `SKPaymentQueue` removes the transaction.
    public func finish() async {
        let (number, product) = ("\(id)", productID)
        do {
            try await AgentHost.shared.perform { agent in
                await agent.finishSigned(.init(transactionIdentifier: number, productIdentifier: product))
            }
        } catch {
            AgentHost.say("finish: \(error)")
        }
    }

    /// The subscription of which this is a period; `nil` for another product.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let group = subscriptionGroupID else { return nil }
            let statuses = try? await Product.SubscriptionInfo.status(for: group)
            return statuses?.first { $0.transaction.unsafePayloadValue.originalID == originalID }
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// The newest transaction of the product; see
    /// ``Transaction/latest(for:)``.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// The verified transaction that entitles the customer to the product now;
    /// `nil` without one.
    @available(iOS, deprecated: 18.4)
    @available(macOS, deprecated: 15.4)
    @available(tvOS, deprecated: 18.4)
    @available(watchOS, deprecated: 11.4)
    @available(visionOS, deprecated: 2.4)
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async {
            var iterator = Transaction.Transactions(source: .entitlements(product: id)).makeAsyncIterator()
            return await iterator.next()
        }
    }

    /// The verified transactions that entitle the customer to the product now.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public var currentEntitlements: Transaction.Transactions {
        Transaction.Transactions(source: .entitlements(product: id))
    }
}
