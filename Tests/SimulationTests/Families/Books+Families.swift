// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain

extension Books {
    /// The purchase that another member of the family shares.
    struct Source: Hashable {
        var owner: String
        var transaction: String
    }

    /// The shared purchases, each as a charge of nothing.
    static func shares(_ connection: any Connection) throws -> [Charge] {
        try connection.rows(
            """
            SELECT transaction_id, original_transaction_id, account_id, bundle_id, product_id, kind, '' AS device_id,
                '' AS request_id, revoked_at, purchased_at, expires_at, is_upgraded, shared_by, shared_from, currency
            FROM purchase WHERE shared_by IS NOT NULL ORDER BY transaction_id
            """
        ).map { row in
            let revoked: Int64? = try row.get("revoked_at")
            return Charge(
                transaction: try row.get("transaction_id"), original: try row.get("original_transaction_id"),
                account: try row.get("account_id"), payer: try row.get("account_id"),
                bundle: try row.get("bundle_id"), product: try row.get("product_id"), kind: try row.get("kind"),
                device: "", request: "", payment: nil,
                price: Money(milliunits: 0, currency: try row.get("currency")),
                confirmed: try row.get("purchased_at"), date: try row.get("purchased_at"),
                charged: try row.get("purchased_at"), expires: try row.get("expires_at"),
                isUpgraded: try row.get("is_upgraded"), isRefunded: revoked != nil, wasDeferred: false,
                wasInterrupted: false,
                source: Source(owner: try row.get("shared_by"), transaction: try row.get("shared_from")))
        }
    }

    /// Reads the family, its work that is left, and the news of its parents.
    mutating func readFamily(_ connection: any Connection) throws {
        for row in try connection.rows("SELECT account_id FROM family_member") {
            family.insert(try row.get("account_id"))
        }
        for row in try connection.rows("SELECT account_id, revision, done FROM family_sharing WHERE done < revision") {
            familyWork.append("\(try row.get("revision") as Int64) changes of \(try row.get("account_id") as String)")
        }
        for row in try connection.rows("SELECT account_id, transaction_id FROM parent_notice") {
            familyWork.append(
                "the notice of \(try row.get("transaction_id") as String) to \(try row.get("account_id") as String)")
        }
        for row in try connection.rows("SELECT product_id FROM sharing_change WHERE environment = 'sandbox'") {
            familyWork.append("the change of \(try row.get("product_id") as String)")
        }
        for row in try connection.rows("SELECT account_id, transaction_id FROM event WHERE kind = 'child-request'") {
            let (account, request): (String, String) = (try row.get("account_id"), try row.get("transaction_id"))
            notices["\(request) for \(account)", default: 0] += 1
        }
    }
}
