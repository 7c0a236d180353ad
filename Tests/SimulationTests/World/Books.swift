// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain

/// The rows of the store's database at one moment.
struct Books {
    struct Charge {
        var transaction: String
        /// The transaction identifier of the original purchase of a
        /// non-consumable.
        var original: String
        var account: String
        /// The account that was charged.
        var payer: String
        var bundle: String
        var product: String
        var kind: String
        /// The device and the request; empty for a renewal.
        var device: String
        var request: String
        var payment: String?
        var price: Money
        /// When the payment was reserved; for a purchase without a payment,
        /// its date.
        var confirmed: Int64
        /// The store's date of the purchase or of the period's start.
        var date: Int64
        /// The store's date of the charge.
        var charged: Int64
        /// The end of the period.
        var expires: Int64?
        /// Whether an upgrade has ended the period.
        var isUpgraded: Bool
        var isRefunded: Bool
        /// Whether it was approved by another person (Ask to Buy).
        var wasDeferred: Bool
        /// Whether it was interrupted: the app first received a failed
        /// transaction.
        var wasInterrupted: Bool
        /// The purchase of another member of the family from which the account
        /// has it.
        var source: Source?

        var isOwnedOnce: Bool { kind == "Non-Consumable" }
        var isConsumable: Bool { kind == "Consumable" }
        var isPeriod: Bool { kind == "Auto-Renewable Subscription" }
        var isRenewal: Bool { request.isEmpty }
    }

    /// A transaction that a device hasn't finished.
    struct Debt {
        var device: String
        var account: String
        var bundle: String
        var transaction: String
    }

    /// An account's current storefront and last event number.
    struct Standing {
        var storefront: String
        var eventNumber: Int64
    }

    struct Missing: Error {}

    var charges: [Charge] = []
    var debts: [Debt] = []
    /// Payments that the store has neither captured nor refunded yet.
    var openPayments: [String] = []
    /// Events of the provider that aren't handled yet.
    var openEvents: [String] = []
    /// The event that revoked each transaction.
    var revocations: [String: EventPosition] = [:]
    /// Those of them that weren't taken back afterwards.
    var standingRevocations: [String: EventPosition] = [:]
    /// The transactions whose refund was taken back.
    var reinstated: Set<String> = []
    /// The consumables that were given to another device of their account.
    var handedOver: Set<String> = []
    var openRequests: [String] = []
    /// Requests that wait for approval, by the transaction identifier that
    /// the purchase will have.
    var undecided: [String] = []
    /// The accounts of these requests.
    var askers: [String: String] = [:]
    /// The members of the family.
    var family: Set<String> = []
    /// How often each parent was notified of each request.
    var notices: [String: Int] = [:]
    /// The changes and notices of families that aren't carried out.
    var familyWork: [String] = []
    /// Interrupted requests, which failed for their app and may still be
    /// purchased, by the transaction identifier that the purchase will have.
    var interrupted: [String] = []
    /// The amount of each purchase that was given back, in thousandths.
    var refunds: [String: Int64] = [:]
    /// The sum of the ledger's entries of each payment, in thousandths.
    var incomes: [String: Int64] = [:]
    /// The account that is signed in on each device.
    var accounts: [String: String] = [:]
    var standings: [String: Standing] = [:]
    /// The transaction with which each request was answered.
    var answers: [String: String] = [:]
    /// The account of each request.
    var requests: [String: String] = [:]
    var keyValues: [KeyValueWitness.Scope: String?] = [:]
    var subscriptions: [Subscription] = []
    /// The requests that redeem a code.
    var redemptions: Set<String> = []
    var codes = Codes()
    var closed: Set<String> = []
    /// The store's time of each account, as its difference from the right
    /// time.
    var offsets: [String: Int64] = [:]

    init(_ world: World) throws {
        guard let database = world.store.database else { throw Missing() }
        self = try database.read { try Books($0) }
        // The devices of absent customers are never switched on again.
        debts.removeAll { debt in world.agreements != nil || world.absent.contains { $0.has(debt.device) } }
    }

    private init(_ connection: any Connection) throws {
        charges = try connection.rows(
            """
            SELECT p.transaction_id, p.original_transaction_id, p.account_id, p.bundle_id, p.product_id, p.kind,
                COALESCE(p.device_id, '') AS device_id, COALESCE(p.request_id, '') AS request_id, p.revoked_at, p.purchased_at,
                p.expires_at, p.is_upgraded, l.account_id AS payer_id, l.payment_number, l.milliunits, l.currency, l.at AS charged_at,
                pay.created_at AS reserved_at, r.deferred_at, r.interrupted_at
            FROM ledger_entry l JOIN purchase p ON p.transaction_id = l.transaction_id
                LEFT JOIN request r ON r.device_id = p.device_id AND r.request_id = p.request_id
                LEFT JOIN payment pay ON pay.payment_number = l.payment_number
            WHERE l.kind = 'charge' ORDER BY p.transaction_id
            """
        ).map { try Charge($0) }
        charges += try Self.shares(connection)
        try readFamily(connection)
        debts = try connection.rows(
            "SELECT device_id, account_id, bundle_id, transaction_id FROM queue_entry ORDER BY device_id, event_number"
        ).map {
            Debt(
                device: try $0.get("device_id"), account: try $0.get("account_id"), bundle: try $0.get("bundle_id"),
                transaction: try $0.get("transaction_id"))
        }
        openPayments = try connection.rows(
            """
            SELECT payment_number FROM payment
            WHERE status IN ('reserved', 'committed', 'refunding', 'pending', 'voiding')
                OR payment_number IN (SELECT payment_number FROM refund WHERE status IN ('due', 'reversing'))
            ORDER BY payment_number
            """
        ).map { try $0.get("payment_number") }
        openEvents = try connection.rows(
            "SELECT event_id FROM provider_event WHERE handled_at IS NULL ORDER BY received_at, event_id"
        ).map { try $0.get("event_id") }
        for row in try connection.rows(
            """
            SELECT account_id, event_number, transaction_id, kind FROM event WHERE kind IN ('revoked', 'reinstated')
            ORDER BY event_number
            """)
        {
            let (transaction, kind): (String, String) = (try row.get("transaction_id"), try row.get("kind"))
            if kind == "reinstated" {
                reinstated.insert(transaction)
                standingRevocations[transaction] = nil
            } else {
                let position = EventPosition(
                    account: try row.get("account_id"), number: try row.get("event_number"))
                revocations[transaction] = position
                standingRevocations[transaction] = position
            }
        }
        for row in try connection.rows("SELECT transaction_id FROM event WHERE kind = 'handed-over'") {
            handedOver.insert(try row.get("transaction_id"))
        }
        for row in try connection.rows("SELECT kind, transaction_id, payment_number, milliunits FROM ledger_entry") {
            let amount: Int64 = try row.get("milliunits")
            let kind: String = try row.get("kind")
            if kind == "refund" || kind == "refund reversed" {
                refunds[try row.get("transaction_id"), default: 0] -= amount
            }
            if let payment: String = try row.get("payment_number") { incomes[payment, default: 0] += amount }
        }
        for row in try connection.rows(
            "SELECT request_id, status, account_id, kind, transaction_id FROM request ORDER BY request_id")
        {
            try read(request: row)
        }
        for row in try connection.rows("SELECT device_id, account_id FROM device WHERE account_id IS NOT NULL") {
            accounts[try row.get("device_id")] = try row.get("account_id")
        }
        subscriptions = try Self.subscriptions(connection)
        codes = try Self.codes(connection)
        for row in try connection.rows(
            "SELECT account_id, storefront, event_number, clock_offset, closed_at FROM account")
        {
            let closedAt: Int64? = try row.get("closed_at")
            if closedAt != nil { closed.insert(try row.get("account_id")) }
            offsets[try row.get("account_id")] = try row.get("clock_offset")
            standings[try row.get("account_id")] = Standing(
                storefront: try row.get("storefront"), eventNumber: try row.get("event_number"))
        }
        for row in try connection.rows("SELECT account_id, bundle_id, key_name, value FROM key_value") {
            let scope = KeyValueWitness.Scope(
                account: try row.get("account_id"), bundle: try row.get("bundle_id"), key: try row.get("key_name"))
            let value: String? = try row.get("value")
            keyValues.updateValue(value, forKey: scope)
        }
    }

    /// Whether a purchase is refunded, or was until the refund was taken back.
    func wasRefunded(_ charge: Charge) -> Bool { charge.isRefunded || reinstated.contains(charge.transaction) }

    private mutating func read(request row: Row) throws {
        let request: String = try row.get("request_id")
        let status: String = try row.get("status")
        let kind: String = try row.get("kind")
        let ends = ["done", "failed", "interrupted"]
        if kind == "payment", !ends.contains(status) { openRequests.append(request) }
        if kind == "redemption" { redemptions.insert(request) }
        if status == "done", let transaction: String = try row.get("transaction_id") { answers[request] = transaction }
        if status == "deferred" {
            let transaction: String = try row.get("transaction_id")
            undecided.append(transaction)
            askers[transaction] = try row.get("account_id")
        }
        if status == "interrupted" { interrupted.append(try row.get("transaction_id")) }
        if let account: String = try row.get("account_id") { requests[request] = account }
    }

    /// The values of one app of an account.
    func keyValues(of account: String, _ bundle: String) -> [String: String] {
        keyValues.reduce(into: [:]) { values, entry in
            if entry.key.account == account, entry.key.bundle == bundle { values[entry.key.key] = entry.value }
        }
    }
}

extension Books.Charge {
    init(_ row: Row) throws {
        let revoked: Int64? = try row.get("revoked_at")
        let reserved: Int64? = try row.get("reserved_at")
        let deferred: Int64? = try row.get("deferred_at")
        let interrupted: Int64? = try row.get("interrupted_at")
        self.init(
            transaction: try row.get("transaction_id"), original: try row.get("original_transaction_id"),
            account: try row.get("account_id"), payer: try row.get("payer_id"), bundle: try row.get("bundle_id"),
            product: try row.get("product_id"), kind: try row.get("kind"), device: try row.get("device_id"),
            request: try row.get("request_id"),
            payment: try row.get("payment_number"),
            price: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
            confirmed: try reserved ?? row.get("purchased_at"), date: try row.get("purchased_at"),
            charged: try row.get("charged_at"), expires: try row.get("expires_at"),
            isUpgraded: try row.get("is_upgraded"), isRefunded: revoked != nil,
            wasDeferred: deferred != nil, wasInterrupted: interrupted != nil)
    }
}
