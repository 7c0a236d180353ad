// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

// The mistakes of renewals.
extension MistakenConnection {
    /// Whether the store forgets to run a statement.
    func isSkipped(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Bool {
        let values = arguments.map(\.databaseValue)
        switch mistake {
        case .renewalsGoOn:
            return sql.hasPrefix("INSERT INTO subscription_event") && values[4] == .text("renewal turned off")
        case .authorisationsAreKept:
            return sql.hasPrefix("UPDATE payment SET status = $5") && values[2] == .text("authorised")
                && values[4] == .text("voiding")
        case .renewalsReachOneDevice:
            guard sql.hasPrefix("INSERT INTO queue_entry"), values[5] == .null else { return false }
            return try connection.row("SELECT 1 AS one FROM queue_entry WHERE transaction_id = $1", [arguments[2]])
                != nil
        case .codesAreNotCounted: return sql.hasPrefix("UPDATE offer_code SET uses = uses + 1")
        case .codesAreNotGivenBack:
            return sql.hasPrefix("DELETE FROM code_redemption")
                || sql.hasPrefix("UPDATE offer_code SET uses = uses - 1")
        case .familyChangesAreForgotten:
            return sql.hasPrefix("INSERT INTO family_sharing") && sql.contains("VALUES ($1, $2, $3, 1, 0)")
        case .parentsAreNotifiedAgain:
            guard sql.hasPrefix("DELETE FROM parent_notice") else { return false }
            // Twice, so that the run ends.
            return try connection.row(
                "SELECT 1 AS one FROM event WHERE kind = 'child-request' AND transaction_id = $1 AND account_id = $2",
                [arguments[2], arguments[1]]) == nil
        case .introductionsAreRepeated: return sql.hasPrefix("INSERT INTO offer_use")
        default: return false
        }
    }

    /// The arguments as a store with the mistake passes them.
    func mistaken(_ arguments: [any DatabaseValueConvertible], of sql: String) -> [any DatabaseValueConvertible] {
        var arguments = arguments
        let nothing: Int64? = nil
        switch mistake {
        case .childrenPay where sql.hasPrefix("INSERT INTO payment ("):
            (arguments[6], arguments[15]) = (arguments[5], arguments[14])
        case .dueMomentsAreForgotten where sql.hasPrefix("INSERT INTO payment ("): arguments[16] = nothing
        case .stepsAreLost where sql.hasPrefix("UPDATE subscription SET payment_number = $4"):
            if case .integer(let due) = arguments[6].databaseValue, due % 5 == 0 { arguments[5] = nothing }
        case .authorisationsAreForgotten where sql.hasPrefix("INSERT INTO subscription_event"):
            if arguments[4].databaseValue == .text("authorised") { arguments[6] = "{}" }
        // The failure that the child's leaving has recorded.
        case .declinedApprovalsWaitAgain where sql.hasPrefix("UPDATE request SET status = $4, account_id"):
            if arguments[3].databaseValue == .text("processing") { (arguments[7], arguments[8]) = (nothing, nothing) }
        default: break
        }
        return arguments
    }
}
