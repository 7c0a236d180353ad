// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A connection of the store that changes its statements, as a store with the
/// world's mistake would write them.
struct MistakenConnection: Connection {
    let connection: any Connection
    let mistake: Mistake
    /// The right time, in milliseconds.
    let now: @Sendable () -> Int64
    /// Whether the transaction has read a code.
    private let readsCode = Flag()

    private final class Flag: @unchecked Sendable {  // because one transaction uses it
        var isSet = false
    }

    init(connection: any Connection, mistake: Mistake, now: @escaping @Sendable () -> Int64) {
        self.connection = connection
        self.mistake = mistake
        self.now = now
    }

    func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
        if mistake == .hintsAreNotStored, sql.hasPrefix("INSERT INTO device_news"),
            arguments.contains(where: { $0 as? String == "request" })
        {
            return 1
        }
        if mistake == .handedOverConsumablesStay, sql.hasPrefix("DELETE FROM queue_entry"),
            sql.contains("device_id = $2")
        {
            return 1
        }
        if try isSkipped(sql, arguments) { return 1 }
        try prepareDisagreement(sql, arguments)
        return try connection.run(mistaken(sql), mistaken(arguments, of: sql))
    }

    func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        try prepareDisagreement(sql, arguments)
        let rows = try connection.rows(mistaken(sql), arguments)
        guard mistake == .duePeriodsAreOverlooked else { return rows }
        if sql.contains("FROM offer_code ") { readsCode.isSet = true }
        return readsCode.isSet && sql.hasPrefix(Self.events) ? try endingEarly(rows, arguments) : rows
    }

    /// The status of a payment, of which a decline is forgotten.
    private static let status = "CASE payment.status WHEN 'declined' THEN 'pending' ELSE payment.status END AS status"

    /// The beginning of the statements with which the store reads events of
    /// subscriptions.
    private static let events = "SELECT kind, at, details FROM subscription_event"

    private func mistaken(_ sql: String) -> String {
        switch mistake {
        case .leasesAreIgnored, .renewalLeasesAreIgnored:
            sql.replacing("<= wall_now", with: "<= 9000000000000000 + wall_now")
        case .periodsAreNotRestored:
            sql.replacing("OR kind = $10)", with: "OR kind = $10 AND transaction_id = original_transaction_id)")
        case .consentIsAssumed where sql.hasPrefix(Self.events):
            sql.replacing(
                "details FROM",
                with: "replace(details, '\"needsConsent\":true', '\"needsConsent\":false') AS details FROM")
        case .offersNeverEnd where sql.hasPrefix(Self.events):
            sql.replacing(
                "details FROM", with: "replace(details, '\"number\":1,', '\"number\":0,') AS details FROM")
        case .contentsOfAppsAreMixedUp where sql.hasPrefix("SELECT"):
            sql.replacing(
                "WHERE bundle_id = $1 AND product_id = $2 AND is_newest = 1",
                with: "WHERE bundle_id <> $1 AND product_id = $2 AND is_newest = 1")
        case .lateAnswersAreBelieved:
            sql.replacing("status IN ($3, $4)", with: "status IN ($3, $4, 'declined')")
                .replacing(" payment.status,", with: " \(Self.status),")
        default: disagreeing(sql)
        }
    }
}
