// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// What the store has written down, as it stands.
struct Books {
    struct Charge {
        var transaction: String
        var account: String
        var product: String
        var kind: String
        var device: String
        var request: String
        var payment: String?
        var milliunits: Int64
        var isRefunded: Bool
    }

    /// A transaction that a device hasn't finished.
    struct Debt {
        var device: String
        var account: String
        var transaction: String
    }

    struct Missing: Error {}

    var charges: [Charge] = []
    var debts: [Debt] = []
    /// Payments that are neither collected nor given back.
    var openPayments: [String] = []
    var openRequests: [String] = []
    /// What a parent has to decide about, by the number that it will have.
    var undecided: [String] = []
    /// How often each purchase was refunded.
    var refunds: [String: Int] = [:]
    /// Who is signed in, by device.
    var accounts: [String: String] = [:]
    /// The account of each purchase's request.
    var requests: [String: String] = [:]

    init(_ world: World) throws {
        guard let database = world.store.database, world.store.server != nil else { throw Missing() }
        self = try database.read { try Books($0) }
    }

    private init(_ connection: any Connection) throws {
        charges = try connection.rows(
            """
            SELECT p.transaction_id, p.account_id, p.product_id, p.kind, p.device_id, p.request_id, p.revoked_at,
                l.payment_number, l.milliunits
            FROM ledger_entry l JOIN purchase p ON p.transaction_id = l.transaction_id
            WHERE l.kind = 'charge' ORDER BY p.transaction_id
            """
        ).map { row in
            let revoked: Int64? = try row.get("revoked_at")
            return Charge(
                transaction: try row.get("transaction_id"), account: try row.get("account_id"),
                product: try row.get("product_id"), kind: try row.get("kind"), device: try row.get("device_id"),
                request: try row.get("request_id"), payment: try row.get("payment_number"),
                milliunits: try row.get("milliunits"), isRefunded: revoked != nil)
        }
        debts = try connection.rows(
            "SELECT device_id, account_id, transaction_id FROM queue_entry ORDER BY device_id, event_number"
        ).map {
            Debt(
                device: try $0.get("device_id"), account: try $0.get("account_id"),
                transaction: try $0.get("transaction_id"))
        }
        openPayments = try connection.rows(
            "SELECT payment_number FROM payment WHERE status IN ('reserved', 'committed', 'refunding') ORDER BY payment_number"
        ).map { try $0.get("payment_number") }
        for row in try connection.rows("SELECT transaction_id FROM ledger_entry WHERE kind = 'refund'") {
            refunds[try row.get("transaction_id"), default: 0] += 1
        }
        for row in try connection.rows(
            "SELECT request_id, status, account_id, kind, transaction_id FROM request ORDER BY request_id")
        {
            let request: String = try row.get("request_id")
            let status: String = try row.get("status")
            let kind: String = try row.get("kind")
            if kind == "payment", status != "done", status != "failed" { openRequests.append(request) }
            if status == "deferred" { undecided.append(try row.get("transaction_id")) }
            if let account: String = try row.get("account_id") { requests[request] = account }
        }
        for row in try connection.rows("SELECT device_id, account_id FROM device WHERE account_id IS NOT NULL") {
            accounts[try row.get("device_id")] = try row.get("account_id")
        }
    }
}
