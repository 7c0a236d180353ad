// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Carries out the price changes that have begun: sets the price of the
/// product, and tells the subscribers whom it concerns, page by page.
///
/// Any number of processes can work at the same time, and each can end
/// anywhere. A subscriber is informed in one transaction, which decides again
/// whether the change is known. The last subscription of a page is saved after
/// the page, so that at most one page is read again. The leases only keep
/// processes from doing the same work.
package struct ApplyingPriceChanges: UseCase {
    package let context: StoreContext
    private let pageSize: Int
    private let pages: Int

    /// Makes the use case. A call reads at most `pages` of each change, so
    /// that the changes that begin meanwhile don't wait long.
    package init(_ context: StoreContext, pageSize: Int = 200, pages: Int = 10) {
        self.context = context
        self.pageSize = pageSize
        self.pages = pages
    }

    /// A change that couldn't be carried out, or a subscriber who couldn't be
    /// informed of it.
    package struct Failure: Sendable {
        package var change: PriceChangeIdentifier
        package var error: any Error
    }

    /// Applies the changes that have begun, and tells some of their
    /// subscribers. A change that fails is tried again by the next call.
    ///
    /// - Returns: Whether subscribers remain to be informed.
    /// - Throws: `DatabaseError` when the changes can't be read.
    @discardableResult
    package func callAsFunction(report: @Sendable (Failure) -> Void = { _ in }) async throws -> Bool {
        var hasMore = false
        let due = try await read { db in try PriceChange.due(db) }
        // The prices first: telling subscribers takes long.
        for change in due where change.application == nil {
            do { try await apply(change) } catch { report(Failure(change: change.identifier, error: error)) }
        }
        for change in due {
            do {
                if try await !tellUnderLease(of: change.identifier, report) { hasMore = true }
            } catch {
                hasMore = true
                report(Failure(change: change.identifier, error: error))
            }
        }
        return hasMore
    }

    private func apply(_ change: PriceChange) async throws {
        faults("price:before")
        try await write(.catalogue(of: change.bundleIdentifier)) { db in
            // Another process has applied it, or it was cancelled or replaced.
            guard var change = try PriceChange.find(change.identifier, db), change.application == nil,
                change.finished == nil
            else { return }
            if let product = try Catalogue.saved(change.productIdentifier, of: change.bundleIdentifier, db) {
                let year = db.now - .seconds(365 * 86_400)
                let changed = change.apply(
                    to: product, isRepeated: try change.hasRisen(since: year, db), at: db.now)
                try Catalogue.save(changed, by: .operator, db)
            } else {
                change.finished = db.now
            }
            try change.saveApplication(db)
            try PriceChange.forgetOld(of: change.productIdentifier, in: change.bundleIdentifier, db)
        }
        faults("price:after")
    }

    /// Tells the subscribers of some pages.
    ///
    /// - Returns: Whether nothing is left to do for this process, because all
    ///   are informed, or another process is at it.
    private func tellUnderLease(
        of identifier: PriceChangeIdentifier, _ report: @Sendable (Failure) -> Void
    ) async throws -> Bool {
        let taken = try await write(.key(context.leases.writeKey)) { db in
            try Lease.take(.priceChange, [identifier.rawValue], db)
        }
        guard !taken.isEmpty else { return true }
        return try await leased(.priceChange(identifier), isComplete: { $0 }) {
            for _ in 0..<pages {
                try Task.checkCancellation()
                if try await tellPage(of: identifier, report) { return true }
            }
            return false
        }
    }

    /// Tells the subscribers of the next page.
    ///
    /// - Returns: Whether it was the last one.
    private func tellPage(
        of identifier: PriceChangeIdentifier, _ report: @Sendable (Failure) -> Void
    ) async throws -> Bool {
        let page = try await read { [pageSize] db -> Page? in
            guard let change = try PriceChange.find(identifier, db), change.finished == nil,
                let group = change.application?.group
            else { return nil }
            let keys = try Subscription.page(
                ofGroup: group, in: change.bundleIdentifier, after: change.toldAfter, limit: pageSize, db)
            return Page(
                change: change, last: keys.last?.original, isLast: keys.count < pageSize,
                concerned: try keys.filter { try Self.isConcerned($0, change, db) })
        }
        guard let page else { return true }
        for key in page.concerned {
            do {
                try await tell(key, of: page.change)
            } catch let error as DomainError {
                // The others don't wait for a subscription that can't be read.
                report(Failure(change: identifier, error: error))
            }
        }
        faults("tell:page")
        try await write(.key("price change \(identifier)")) { db in
            try page.change.advance(to: page.last, isLast: page.isLast, db)
        }
        return page.isLast
    }

    private struct Page: Sendable {
        var change: PriceChange
        /// The last subscription that was read; `nil` for an empty page.
        var last: OriginalTransactionIdentifier?
        var isLast: Bool
        /// The subscriptions whose subscribers have to be informed.
        var concerned: [Subscription.Key]
    }

    /// Whether something has to be saved for a subscription. For one that can't
    /// be read, ``tell(_:of:)`` gives the error.
    private static func isConcerned(
        _ key: Subscription.Key, _ change: PriceChange, _ db: StoreTransaction
    ) throws -> Bool {
        do {
            return try decide(change, key, db) != nil
        } catch is DomainError {
            return true
        }
    }

    private func tell(_ key: Subscription.Key, of change: PriceChange) async throws {
        faults("tell:before")
        try await write(for: key.account) { db in
            guard var found = try Self.decide(change, key, db) else { return }
            if case .tell(let increase) = found.decision {
                found.subscription.tell(increase, at: found.moment)
            } else {
                found.subscription.endPriceIncrease(at: found.moment)
            }
            try found.subscription.save(found.clock, db)
        }
        faults("tell:after")
    }

    private struct Found {
        var subscription: Subscription
        var decision: PriceChangeDecision
        var clock: AccountClock
        var moment: StoreTime
    }

    /// Decides about a subscription; `nil` when nothing has to be saved.
    private static func decide(
        _ change: PriceChange, _ key: Subscription.Key, _ db: StoreTransaction
    ) throws -> Found? {
        guard let subscription = try Subscription.find(key.original, of: key.account, db),
            subscription.newestState?.period.product == change.productIdentifier,
            let account = try Account.findOpen(key.account, db),
            let product = try Catalogue.product(change.productIdentifier, of: change.bundleIdentifier, db)
        else { return nil }
        let moment = account.time(at: db.now)
        let decision = PriceChangeDecision.deciding(
            change, of: product, for: subscription, in: account.storefront, speed: account.clock.speed, at: moment)
        switch decision {
        case .nothing: return nil
        case .tell: if try subscription.wasTold(of: change.identifier, db) { return nil }
        case .end: break
        }
        return Found(subscription: subscription, decision: decision, clock: account.clock, moment: moment)
    }
}
