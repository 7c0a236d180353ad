// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the newest events of the sandbox in a team's apps, from the rows that
/// all nodes of the store write.
package struct ReadingActivity: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The newest entries that a filter lets through, newest first, at most
    /// ``ActivityEntry/limit``.
    ///
    /// - Throws: ``DomainError``: `forbidden`; `notFound` for an app of another
    ///   team, and in production.
    package func callAsFunction(_ filter: ActivityFilter = ActivityFilter(), as user: TeamUser) async throws
        -> [ActivityEntry]
    {
        try user.require(.seeTesters)
        guard environment == .sandbox else { throw ManagingTesters.noSandbox }
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeTesters, db)
            let apps =
                try filter.app.map { [try AppRegistration.known($0, of: actor.team, db)] }
                ?? AppRegistration.first(ReadingTeamPurchases.apps, of: actor.team, db)
            var testers = Testers()
            let tester = try testers.named(filter.tester, db)
            let limit = filter.tester.isEmpty ? ActivityEntry.limit : ActivityEntry.searched
            let found = try apps.map(\.bundleIdentifier).flatMap { app in
                try Self.requests(of: app, limit: limit, &testers, db)
                    + Self.notifications(of: app, for: actor.team, limit: limit, &testers, db)
                    // The rows have no tester.
                    + (filter.tester.isEmpty ? Self.problems(of: app, db) : [])
            }
            let shown = found.filter { entry in
                filter.tester.isEmpty || tester != nil && entry.tester?.identifier == tester?.identifier
            }
            return Array(shown.sorted { $0.at > $1.at }.prefix(ActivityEntry.limit))
        }
    }

    private static func requests(
        of app: BundleIdentifier, limit: Int, _ testers: inout Testers, _ db: StoreTransaction
    ) throws -> [ActivityEntry] {
        try DeviceRequest.newest(of: app, limit: limit, db).map { listed in
            let request = listed.request
            let purchase = try request.transactionIdentifier.flatMap { try Purchase.find($0, db) }
            return ActivityEntry(
                at: listed.at, app: app, subject: .request(request, isOnSheet: listed.isOnSheet),
                tester: try testers.of(request, db), isUnfinished: try purchase?.isUnfinished(db) ?? false,
                isRefunded: purchase?.revoked != nil)
        }
    }

    private static func problems(of app: BundleIdentifier, _ db: StoreTransaction) throws -> [ActivityEntry] {
        try SandboxProblem.newest(of: app, limit: ActivityEntry.limit, db).map { problem in
            ActivityEntry(at: problem.at, app: app, subject: .problem(problem))
        }
    }

    private static func notifications(
        of app: BundleIdentifier, for team: TeamIdentifier, limit: Int, _ testers: inout Testers,
        _ db: StoreTransaction
    ) throws -> [ActivityEntry] {
        let page = try StoreNotification.page(of: app, before: nil, limit: limit, db)
        return try ListingNotifications.listed(page, for: team, db).map { listed in
            ActivityEntry(
                at: listed.notification.created, app: app, subject: .notification(listed),
                tester: try listed.notification.account.flatMap { try testers.with($0, db) })
        }
    }
}

/// The accounts of entries, each of which is loaded once.
private struct Testers {
    private var accounts: [AccountIdentifier: Account?] = [:]
    private var devices: [DeviceIdentifier: Account?] = [:]

    mutating func named(_ email: String, _ db: StoreTransaction) throws -> Account? {
        let email = Account.normalized(email)
        guard !email.isEmpty, email.utf8.count <= Account.longestEmail, !email.utf8.contains(0) else { return nil }
        return try Account.find(email: email, db)
    }

    mutating func with(_ identifier: AccountIdentifier, _ db: StoreTransaction) throws -> Account? {
        if let known = accounts[identifier] { return known }
        let account = try Account.findOpen(identifier, db)
        accounts[identifier] = .some(account)
        return account
    }

    /// The account of a request, else the one that is signed in on its device.
    mutating func of(_ request: DeviceRequest, _ db: StoreTransaction) throws -> Account? {
        if let account = request.account { return try with(account, db) }
        if let known = devices[request.device] { return known }
        let account = try Device.signedInAccount(on: request.device, db)
        devices[request.device] = .some(account)
        return account
    }
}
