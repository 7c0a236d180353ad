// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The App Store Server API, without HTTP.
extension StoreService {
    /// The app that a request's token gives access to.
    ///
    /// - Throws: `ServerToken.Refusal`, `DatabaseError`.
    package func authenticateServer(authorization: String?) async throws -> ServerCaller {
        try await AuthenticatingServer(context)(ServerToken(authorization: authorization))
    }

    /// The signed transaction of a purchase.
    ///
    /// - Throws: `ServerError`, `DatabaseError`, `AppReceiptError`.
    package func transactionInfo(
        _ transaction: TransactionIdentifier, of app: BundleIdentifier
    ) async throws -> ServerAnswers.TransactionInfo {
        let purchase = try await FindingServedPurchase(context)(transaction, in: app)
        let signed = try await signing([purchase])
        guard let first = signed.first else { throw ServerError.internalError }
        return ServerAnswers.TransactionInfo(signedTransactionInfo: first)
    }

    /// A page of the history of the customer who has made a purchase.
    ///
    /// - Throws: The errors of ``transactionInfo(_:of:)``.
    package func transactionHistory(
        _ transaction: TransactionIdentifier, of app: BundleIdentifier, _ filter: PurchaseFilter,
        _ order: ReadingServedHistory.Order, after place: PurchaseRevision?
    ) async throws -> ServerAnswers.History {
        let page = try await namingMissingApp(app) {
            try await ReadingServedHistory(context)(of: transaction, in: app, filter, order, after: place)
        }
        return ServerAnswers.History(
            appAppleId: try await ReadingAppNumber(context)(of: app), bundleId: app.rawValue,
            environment: environment.rawValue, hasMore: page.hasMore, revision: page.revision.text,
            signedTransactions: try await signing(page.purchases))
    }

    /// A page of the refunded purchases of the customer who has made a
    /// purchase, the oldest change first.
    ///
    /// - Throws: The errors of ``transactionInfo(_:of:)``.
    package func refundHistory(
        _ transaction: TransactionIdentifier, of app: BundleIdentifier, after place: PurchaseRevision?
    ) async throws -> ServerAnswers.RefundHistory {
        let filter = PurchaseFilter.refunded
        let page = try await hidingClosedAccount {
            try await ReadingServedHistory(context)(of: transaction, in: app, filter, after: place)
        }
        return ServerAnswers.RefundHistory(
            hasMore: page.hasMore, revision: page.revision.text,
            signedTransactions: try await signing(page.purchases))
    }

    /// The subscriptions of the customer who has made a purchase, by group.
    /// `statuses` are those that are asked for; empty for all.
    ///
    /// - Throws: The errors of ``transactionInfo(_:of:)``.
    package func subscriptionStatuses(
        _ transaction: TransactionIdentifier, of app: BundleIdentifier, statuses: Set<Int>
    ) async throws -> ServerAnswers.Statuses {
        let listed = try await namingMissingApp(app) {
            try await ReadingSubscriptionStatuses(context)(of: transaction, in: app)
        }
        .filter { statuses.isEmpty || statuses.contains($0.status.rawValue) }
        let transactions = try await signing(listed.map(\.purchase))
        let renewals = try await signing(listed.map(\.renewal))
        var groups: [SubscriptionGroupIdentifier: [ServerAnswers.LastTransaction]] = [:]
        for (subscription, signed) in zip(listed, zip(transactions, renewals)) {
            groups[subscription.group, default: []].append(
                ServerAnswers.LastTransaction(
                    originalTransactionId: subscription.purchase.originalTransactionIdentifier.rawValue,
                    status: subscription.status.rawValue, signedTransactionInfo: signed.0,
                    signedRenewalInfo: signed.1))
        }
        return ServerAnswers.Statuses(
            appAppleId: try await ReadingAppNumber(context)(of: app), bundleId: app.rawValue,
            environment: environment.rawValue,
            data: groups.sorted { $0.key < $1.key }.map { group, subscriptions in
                ServerAnswers.Group(
                    subscriptionGroupIdentifier: group.rawValue, lastTransactions: subscriptions)
            })
    }

    /// The refunded purchases of the customer who has made a purchase, without
    /// pages.
    ///
    /// - Throws: The errors of ``transactionInfo(_:of:)``.
    package func refundLookup(
        _ original: TransactionIdentifier, of app: BundleIdentifier
    ) async throws -> ServerAnswers.RefundLookup {
        let refunded = try await ListingRefundedPurchases(context)(of: original, in: app)
        return ServerAnswers.RefundLookup(
            signedTransactions: try await signing(refunded))
    }

    /// The purchases of an order.
    ///
    /// - Throws: The errors of ``transactionInfo(_:of:)``.
    package func orderLookup(_ order: String, of app: BundleIdentifier) async throws -> ServerAnswers.OrderLookup {
        let purchases = try await LookingUpOrder(context)(order, in: app)
        guard !purchases.isEmpty else { return ServerAnswers.OrderLookup(status: 1) }
        return ServerAnswers.OrderLookup(status: 0, signedTransactions: try await signing(purchases))
    }

    /// The signed app transaction of the customer who has made a purchase.
    ///
    /// - Throws: The errors of ``transactionInfo(_:of:)``.
    package func appTransactionInfo(
        _ transaction: TransactionIdentifier, of app: BundleIdentifier
    ) async throws -> ServerAnswers.AppTransactionInfo {
        let served = try await hidingClosedAccount { try await ReadingServedApp(context)(of: transaction, in: app) }
        return ServerAnswers.AppTransactionInfo(
            signedAppTransactionInfo: try await signing(served))
    }

    /// Answers a transaction that isn't found in an app that the store doesn't have with `appNotFound`, as the pages of the
    /// histories and of the statuses do.
    private func namingMissingApp<Value>(
        _ app: BundleIdentifier, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as ServerError where error == .transactionNotFound {
            guard try await FindingApp(context)(app) != nil else { throw ServerError.appNotFound }
            throw error
        }
    }

    /// Answers a transaction of a closed account as an unknown one: the pages of the refund history and of the app transaction
    /// have no `accountNotFound`.
    private func hidingClosedAccount<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as ServerError where error == .accountNotFound {
            throw ServerError.transactionNotFound
        }
    }

    private var signing: SigningPayloads { SigningPayloads(context, authority: authority) }
}
