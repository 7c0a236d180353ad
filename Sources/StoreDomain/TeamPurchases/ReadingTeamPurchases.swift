// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the purchases of a team's apps.
package struct ReadingTeamPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    package typealias Page = ReadingTeam.Page<Purchase, Purchase.Position>

    /// The most apps whose purchases one list has.
    package static let apps = 20
    /// The most purchases that a search looks at.
    static let searched = 500
    /// The purchases of each app that a list with a filter reads in one step.
    static let batch = 200

    /// The apps of a team that its lists name, in the order of their
    /// identifiers.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func listedApps(as user: TeamUser) async throws -> [AppRegistration] {
        try user.require(.seeTransactions)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeTransactions, db)
            return try Self.apps(of: actor, db)
        }
    }

    /// The purchases that a filter lets through and that follow a place in an
    /// order. Without an app it is those of the first ``apps`` apps.
    ///
    /// It reads a limited number of purchases: a page may have fewer entries
    /// than there are, and `next` continues behind them.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for an app of another
    ///   team.
    package func callAsFunction(
        _ filter: TeamPurchaseFilter = TeamPurchaseFilter(), by sort: PurchaseSort = .usual,
        before place: Purchase.Position? = nil, as user: TeamUser
    ) async throws -> Page {
        try user.require(.seeTransactions)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeTransactions, db)
            let apps =
                try filter.app.map { [try AppRegistration.known($0, of: actor.team, db)] }
                ?? Self.apps(of: actor, db)
            return try Self.page(filter, of: apps.map(\.bundleIdentifier), by: sort, before: place, db)
        }
    }

    /// The first purchases of an order with an exact transaction or order
    /// number, original transaction, account token or device, and in the
    /// sandbox the e-mail address of a tester; at most a page.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func search(
        _ text: String, by sort: PurchaseSort = .usual, as user: TeamUser
    ) async throws -> [Purchase] {
        try user.require(.seeTransactions)
        let text = text.trimmingWhitespace()
        guard !text.isEmpty, text.utf8.count <= Account.longestEmail, !text.utf8.contains(0) else { return [] }
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeTransactions, db)
            var own: [BundleIdentifier: Bool] = [:]
            var seen: Set<TransactionIdentifier> = []
            let found = try Self.found(text, db).filter { purchase in
                guard seen.insert(purchase.transactionIdentifier).inserted else { return false }
                let isOwn =
                    try own[purchase.bundleIdentifier] ?? AppRegistration.has(purchase.bundleIdentifier, actor.team, db)
                own[purchase.bundleIdentifier] = isOwn
                return isOwn
            }
            return Array(found.sorted(by: sort.precedes).prefix(ReadingTeam.pageSize))
        }
    }

    private static func apps(of actor: TeamUser, _ db: StoreTransaction) throws -> [AppRegistration] {
        try AppRegistration.first(apps, of: actor.team, db)
    }

    private static func found(_ text: String, _ db: StoreTransaction) throws -> [Purchase] {
        var found = try Purchase.find(TransactionIdentifier(text), db).map { [$0] } ?? []
        found += try Purchase.of(original: OriginalTransactionIdentifier(text), limit: searched, db)
        let token = text.lowercased()
        for name in Set([text, token, text.uppercased()]) { found += try Purchase.of(user: name, limit: searched, db) }
        for original in try AccountToken.originals(of: token, limit: ReadingTeam.pageSize, db) {
            found += try Purchase.of(original: original, limit: ReadingTeam.pageSize, db)
        }
        found += try Purchase.of(device: DeviceIdentifier(token), limit: searched, db)
        // Production's customers are the store's, and not the seller's.
        if db.environment == .sandbox, let account = try Account.find(email: Account.normalized(text), db) {
            found += try Purchase.history(of: account.identifier, before: nil, limit: searched, db)
        }
        return found
    }

    private static func page(
        _ filter: TeamPurchaseFilter, of apps: [BundleIdentifier], by sort: PurchaseSort,
        before place: Purchase.Position?, _ db: StoreTransaction
    ) throws -> Page {
        var page = Page(entries: [])
        var (last, count) = (place, 0)
        let batch = filter.takesAll ? ReadingTeam.pageSize + 1 : batch
        while true {
            let found = try purchases(in: apps, by: sort, before: last, limit: batch, db)
            for (index, purchase) in found.enumerated() {
                last = purchase.position
                count += 1
                if try filter.matches(purchase, isUnfinished: { try purchase.isUnfinished(db) }) {
                    page.entries.append(purchase)
                }
                if page.entries.count == ReadingTeam.pageSize || count == ReadingTeam.searched {
                    page.next = index + 1 < found.count || found.count == batch ? last : nil
                    return page
                }
            }
            if found.count < batch { return page }
        }
    }

    /// The purchases of several apps that follow a place, in one order.
    private static func purchases(
        in apps: [BundleIdentifier], by sort: PurchaseSort, before place: Purchase.Position?, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Purchase] {
        let found = try apps.flatMap { app in
            switch sort {
            case .newest: try Purchase.newest(in: app, before: place, limit: limit, db)
            case .oldest: try Purchase.made(in: app, after: place, limit: limit, db)
            }
        }
        return Array(found.sorted(by: sort.precedes).prefix(limit))
    }
}

extension PurchaseSort {
    /// Whether a purchase is before another one.
    fileprivate func precedes(_ left: Purchase, _ right: Purchase) -> Bool {
        self == .newest ? left.position > right.position : left.position < right.position
    }
}

extension AppRegistration {
    /// Whether an app is a team's.
    static func has(_ app: BundleIdentifier, _ team: TeamIdentifier, _ db: StoreTransaction) throws -> Bool {
        do {
            _ = try known(app, of: team, db)
            return true
        } catch let error as DomainError where error.code == .notFound {
            return false
        }
    }
}

extension Purchase.Position: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.date.milliseconds, left.transactionIdentifier) < (right.date.milliseconds, right.transactionIdentifier)
    }
}
