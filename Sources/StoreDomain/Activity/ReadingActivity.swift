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
            if tester == nil, !filter.tester.isEmpty { return [] }
            let rows = try ActivityRow.newest(of: apps.map(\.bundleIdentifier), tester: tester?.identifier, db)
            return try Self.entries(rows, for: actor.team, &testers, db)
        }
    }

    /// The rows with all that the page shows of them, which is read for these only.
    private static func entries(
        _ rows: [ActivityRow], for team: TeamIdentifier, _ testers: inout Testers, _ db: StoreTransaction
    ) throws -> [ActivityEntry] {
        let notifications = rows.compactMap { row in if case .notification(let sent) = row { sent } else { nil } }
        let listed = Dictionary(
            try ListingNotifications.listed(notifications, for: team, db).map { ($0.notification.identifier, $0) }
        ) { first, _ in first }
        return try rows.compactMap { row in
            switch row {
            case .request(let asked):
                let purchase = try asked.request.transactionIdentifier.flatMap { try Purchase.find($0, db) }
                return ActivityEntry(
                    at: asked.at, app: asked.request.bundleIdentifier,
                    subject: .request(asked.request, isOnSheet: asked.isOnSheet),
                    tester: try testers.of(asked.request, db),
                    isUnfinished: try purchase?.isUnfinished(db) ?? false, isRefunded: purchase?.revoked != nil)
            case .notification(let sent):
                return try listed[sent.identifier].map { listed in
                    ActivityEntry(
                        at: sent.created, app: sent.bundleIdentifier, subject: .notification(listed),
                        tester: try sent.account.flatMap { try testers.with($0, db) })
                }
            case .problem(let kept):
                return kept.problem.map { ActivityEntry(at: $0.at, app: $0.app, subject: .problem($0)) }
            }
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
