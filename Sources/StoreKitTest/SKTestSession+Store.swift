// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAssembly
import StoreDomain
import StoreKit
import StoreService

// The session's operations in its store.
extension SKTestSession {
    func restart() {
        do {
            try begin()
        } catch {
            FileHandle.standardError.write(Data("StoreKitTest: \(error.localizedDescription)\n".utf8))
        }
    }

    func perform(_ body: @escaping @Sendable (StoreService) async throws -> Void) throws {
        try host().perform(body)
    }

    func contents(_ host: SessionHost) throws -> [SKTestTransaction.Contents] {
        let (account, context) = (host.account.identifier, host.store.context)
        return try host.perform { service in
            let purchases = try await Self.purchases(
                of: account, bundleIdentifier: BundleIdentifier(host.bundleIdentifier), context)
            let states = Dictionary(
                uniqueKeysWithValues: try await host.subscriptions().map { ($0.state.period.transaction, $0.state) })
            let all =
                purchases.map { SKTestTransaction.Contents($0, of: states[$0.transactionIdentifier]) }
                + (try await Self.waiting(service))
            // A session numbers its transactions consecutively: the
            // identifiers order transactions of the same time.
            return all.sorted { ($0.purchaseDate, $0.identifier) < ($1.purchaseDate, $1.identifier) }
        }
    }

    /// Loads all purchases of an account in an app.
    static func purchases(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ context: StoreContext
    ) async throws -> [Purchase] {
        var found: [Purchase] = []
        var last: Purchase.Position?
        repeat {
            let page = try await ListingPurchases(context)(
                of: account, bundleIdentifier: bundleIdentifier, after: last)
            found += page.purchases
            last = page.next
        } while last != nil
        return found
    }

    /// Loads all requests that wait for a decision.
    private static func waiting(_ service: StoreService) async throws -> [SKTestTransaction.Contents] {
        var found: [SKTestTransaction.Contents] = []
        var last: TransactionIdentifier = ""
        while true {
            let requests = try await service.undecided(after: last)
            found += requests.compactMap { SKTestTransaction.Contents($0) }
            guard let next = requests.last?.transactionIdentifier else { return found }
            last = next
        }
    }
}

extension SKTestTransaction.Contents {
    /// Describes a purchase; `subscription` is the state of the subscription
    /// whose newest period it is.
    fileprivate init(_ purchase: Purchase, of subscription: SubscriptionState?) {
        self.init(
            identifier: UInt(purchase.transactionIdentifier.rawValue) ?? 0,
            original: UInt(purchase.originalTransactionIdentifier.rawValue) ?? 0,
            productIdentifier: purchase.productIdentifier.rawValue, purchaseDate: purchase.date.date,
            cancelDate: purchase.revoked?.date, expirationDate: purchase.term?.expires.date,
            renews: subscription?.renews ?? false, state: .purchased,
            hasPurchaseIssue: subscription?.isInRetry ?? false,
            waitsForConsent: subscription?.waitsForConsent ?? false)
    }

    fileprivate init?(_ request: DeviceRequest) {
        guard let number = request.transactionIdentifier.flatMap({ UInt($0.rawValue) }),
            let product = request.productIdentifier,
            let date = request.deferred ?? request.interrupted
        else { return nil }
        let isInterrupted = request.status == .interrupted
        self.init(
            identifier: number, original: number, productIdentifier: product.rawValue, purchaseDate: date.date,
            state: isInterrupted ? .failed : .deferred, hasPurchaseIssue: isInterrupted,
            waitsForApproval: !isInterrupted)
    }
}
