// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// The tables of the store: one file per migration, the same SQL for every
/// engine.
package enum Schema {
    /// Brings a database up to this version's schema.
    ///
    /// - Throws: `DatabaseError` with the code `newerSchema` when a newer
    ///   version has written it.
    package static func migrate(_ database: any Database) async throws {
        try await Migrator(migrations).migrate(database)
    }

    /// The synchronous variant of the other `migrate(_:)`.
    package static func migrate(_ database: any Database) throws {
        try Migrator(migrations).migrate(database)
    }

    /// The statement that locks the account `$1` in an engine that runs
    /// several writes at a time. It names all environments, so that it uses
    /// the primary key. `NO KEY` doesn't block transactions that insert rows
    /// that refer to the account. It computes the bucket, because a scope has
    /// only the account's identifier.
    package static let accountLock = """
        SELECT 1 FROM account
        WHERE environment IN (\(StoreEnvironment.all.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
            AND account_id = $1 AND bucket = \(bucket(of: "CAST($1 AS TEXT)"))
        FOR NO KEY UPDATE
        """

    /// Whether a migration was applied; `false` for an empty database.
    ///
    /// - Throws: `DatabaseError` when the database can't be read.
    static func has(_ migration: Migration, in database: any Database) async throws -> Bool {
        do {
            return try await database.read { try Migrator.applied($0).contains(migration.name) }
        } catch let error as DatabaseError where error.code == .table {
            return false
        }
    }

    /// Whether the database has exactly this version's schema.
    static func fits(_ connection: any Connection) throws -> Bool {
        Set(try Migrator.applied(connection)) == Set(migrations.map(\.name))
    }

    /// Whether the database has a migration that this version doesn't know.
    static func isNewer(_ connection: any Connection) throws -> Bool {
        !Set(try Migrator.applied(connection)).isSubset(of: migrations.map(\.name))
    }

    /// All migrations, in their order.
    package static let migrations = [
        catalogue, accounts, purchases, copies, closedAccounts, decisions, keyValues, limits, keptReceipts,
        catalogueSources, authority, deviceApps, retention, indexes, providerEvents, refunds, news, leases,
        buckets, subscriptionCatalogue, subscriptions, sharedContacts, storeSecrets, hostedContent,
        offers, firstUses, priceChanges, offerCodes, formerHolders,
        customers, browserSessions, mail, families, familySharing, paymentMethods, refundRequests, serverAPI,
        serverChanges, notifications, deliveryModes, listeners, countedAnswers, items, sales, revocations,
        waitingNotifications, formerNotifications, campaigns, bucketsOfCustomers, testerRules, appTransactions,
        proratedRefunds, teams, registrations, appUploads, codeSeeds, images, agreements, formerProducts,
        teamPurchases, teamKeys, testers, sellerAddresses, sandboxProblems, teamItems, listOrders,
        storePages, appVersions, accountTokens, runningSubscriptions, teamBrowsers, linkMakers, pricing,
        removedApps, addressTeams, catalogueSizes, redeemedCodes, sellerShares, payers,
    ]
}
