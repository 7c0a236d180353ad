// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension DeviceRequest {
    private static let columns = """
        device_id, request_id, kind, bundle_id, product_id, quantity, username, status, account_id, transaction_id,
        event_number, failure_code, failure_message, simulates_ask_to_buy, deferred_at, interrupted_at, contact,
        offer, discount, confirmed, code, answer_until, answer_due_at, tokens, accepts_running, failure_server_code
        """

    init(_ row: Row) throws {
        self.init(
            device: try row.get("device_id"), identifier: try row.get("request_id"),
            kind: Kind(rawValue: try row.get("kind")),
            bundleIdentifier: try row.get("bundle_id"), productIdentifier: try row.get("product_id"),
            quantity: try row.get("quantity"), applicationUsername: try row.get("username"))
        status = Status(rawValue: try row.get("status"))
        account = try row.get("account_id")
        transactionIdentifier = try row.get("transaction_id")
        eventNumber = try row.get("event_number")
        simulatesAskToBuy = try row.get("simulates_ask_to_buy")
        acceptsRunning = try row.get("accepts_running")
        let deferredAt: Int64? = try row.get("deferred_at")
        deferred = deferredAt.map(StoreTime.init(milliseconds:))
        let interruptedAt: Int64? = try row.get("interrupted_at")
        interrupted = interruptedAt.map(StoreTime.init(milliseconds:))
        let code: Int? = try row.get("failure_code")
        let serverCode: Int? = try row.get("failure_server_code")
        failure = try code.map {
            PurchaseFailure(
                .init(rawValue: $0), try row.get("failure_message"), underlying: serverCode.map { .init(server: $0) })
        }
        let contact: String? = try row.get("contact")
        self.contact = try contact.map(ContactExchange.init(stored:))
        let offer: String? = try row.get("offer")
        appliedOffer = try offer.map(AppliedOffer.init(stored:))
        let discount: String? = try row.get("discount")
        self.discount = try discount.map(PaymentDiscount.init(stored:))
        let confirmed: String? = try row.get("confirmed")
        self.confirmed = try confirmed.map(ConfirmedPayment.init(stored:))
        let redeemed: String? = try row.get("code")
        self.code = try redeemed.map(RedeemedCode.init(stored:))
        let answerUntil: Int64? = try row.get("answer_until")
        self.answerUntil = answerUntil.map(StoreTime.init(milliseconds:))
        let answerDue: Int64? = try row.get("answer_due_at")
        self.answerDue = answerDue.map(WallTime.init(milliseconds:))
        let tokens: String? = try row.get("tokens")
        self.tokens = tokens.map { CampaignTokens($0) }
    }

    /// A request of the sandbox with the moment at which it was asked.
    struct Listed: Sendable {
        var request: DeviceRequest
        var at: WallTime
        /// Whether its sheet waits for the customer.
        var isOnSheet: Bool
    }

    /// The newest requests of the sandbox in an app before one, newest first.
    static func newest(
        of app: BundleIdentifier, before last: Listed?, limit: Int, _ db: StoreTransaction
    ) throws -> [Listed] {
        try db.rows(
            """
            SELECT \(columns), created_at, (
                SELECT COUNT(*) FROM sheet
                WHERE sheet.environment = request.environment AND sheet.device_id = request.device_id
                    AND sheet.request_id = request.request_id AND sheet.status = 'open' AND sheet.closing_at > $3
            ) AS sheets
            FROM request WHERE environment = 'Sandbox' AND bundle_id = $1
                AND (created_at, device_id, request_id) < ($4, $5, $6)
            ORDER BY created_at DESC, device_id DESC, request_id DESC LIMIT $2
            """,
            [
                app, limit, db.now.milliseconds, last?.at.milliseconds ?? Int64.max, last?.request.device ?? "",
                last?.request.identifier ?? "",
            ]
        ).map { row in
            let sheets: Int64 = try row.get("sheets")
            return Listed(
                request: try DeviceRequest(row), at: WallTime(milliseconds: try row.get("created_at")),
                isOnSheet: sheets > 0)
        }
    }

    static func find(
        _ identifier: RequestIdentifier, of device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        try db.row(
            "SELECT \(columns) FROM request WHERE environment = $1 AND device_id = $2 AND request_id = $3",
            [db.environment.rawValue, device, identifier]
        ).map(DeviceRequest.init)
    }

    /// Finds a request that the transaction may change. While it is open, its
    /// sheet can't be answered until the transaction ends: the sheet's row is
    /// locked first, as each answer does it.
    static func hold(
        _ identifier: RequestIdentifier, of device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard let request = try find(identifier, of: device, db) else { return nil }
        guard request.status == .open, try Sheet.hold(for: request, db) else { return request }
        return try find(identifier, of: device, db)
    }

    /// The request of the purchase, or future purchase, with this identifier.
    /// Later ones, which changed the plan of a subscription, were answered with
    /// the same purchase.
    static func find(transaction: TransactionIdentifier, _ db: StoreTransaction) throws -> DeviceRequest? {
        try db.row(
            """
            SELECT \(columns) FROM request WHERE environment = $1 AND transaction_id = $2
            ORDER BY COALESCE(event_number, 0) LIMIT 1
            """, [db.environment.rawValue, transaction]
        ).map(DeviceRequest.init)
    }

    /// Requests that wait for a decision, in order of their transaction
    /// identifiers, after `transaction`.
    static func undecided(after transaction: TransactionIdentifier, limit: Int, _ db: StoreTransaction) throws
        -> [DeviceRequest]
    {
        try db.rows(
            """
            SELECT \(columns) FROM request
            WHERE environment = $1 AND status IN ('deferred', 'interrupted') AND transaction_id > $2
            ORDER BY transaction_id LIMIT $3
            """, [db.environment.rawValue, transaction, limit]
        ).map(DeviceRequest.init)
    }

    /// Fails some of an account's requests that wait for a decision, and
    /// notifies their devices.
    ///
    /// - Returns: Their number.
    static func failUndecided(
        of account: AccountIdentifier, because failure: PurchaseFailure, limit: Int, _ db: StoreTransaction
    ) throws -> Int {
        let failed = try db.rows(
            """
            UPDATE request SET status = 'failed', failure_code = $3, failure_message = $4, failure_server_code = NULL,
                changed_at = $5, contact = NULL, offer = NULL, tokens = NULL
            WHERE environment = $1 AND status IN ('deferred', 'interrupted') AND transaction_id IN (
                SELECT transaction_id FROM request
                WHERE environment = $1 AND account_id = $2 AND status IN ('deferred', 'interrupted')
                ORDER BY transaction_id LIMIT $6)
            RETURNING \(columns)
            """,
            [db.environment.rawValue, account, failure.code.rawValue, failure.message, db.now.milliseconds, limit]
        ).map(DeviceRequest.init)
        for request in failed { try request.announceFailure(db) }
        return failed.count
    }

    /// Fails an account's requests that wait for an approval, and notifies
    /// their devices. One whose payment is under way fails unless it is made:
    /// the approval was given before.
    static func failDeferred(of account: AccountIdentifier, because failure: PurchaseFailure, _ db: StoreTransaction)
        throws
    {
        let failed = try db.rows(
            """
            UPDATE request SET status = 'failed', failure_code = $3, failure_message = $4, failure_server_code = NULL,
                changed_at = $5, contact = NULL, offer = NULL, tokens = NULL
            WHERE environment = $1 AND account_id = $2 AND status = 'deferred'
            RETURNING \(columns)
            """,
            [db.environment.rawValue, account, failure.code.rawValue, failure.message, db.now.milliseconds]
        ).map(DeviceRequest.init)
        for request in failed { try request.announceFailure(db) }
        for payment in try Payment.underWay(for: account, db) {
            guard var request = try payment.request(db), request.status == .processing, request.deferred != nil
            else { continue }
            request.failure = failure
            try request.update(db)
        }
    }

    /// Gives back the code of a request that has failed, and notifies its
    /// device.
    private func announceFailure(_ db: StoreTransaction) throws {
        var request = self
        if request.code != nil {
            try request.releaseCode(db)
            try request.update(db)
        }
        try DeviceNews.append(request, db)
    }

    /// The requests of an account that wait for an approval, oldest first, at
    /// most a hundred.
    static func deferred(of account: AccountIdentifier, _ db: StoreTransaction) throws -> [DeviceRequest] {
        try db.rows(
            """
            SELECT \(columns) FROM request
            WHERE environment = $1 AND account_id = $2 AND status = 'deferred'
            ORDER BY transaction_id LIMIT 100
            """, [db.environment.rawValue, account]
        ).map(DeviceRequest.init).sorted { ($0.deferred?.milliseconds ?? 0) < ($1.deferred?.milliseconds ?? 0) }
    }

    /// The requests of an account for a product that wait for an approval, at most a hundred.
    static func deferred(
        of account: AccountIdentifier, for product: Product, _ db: StoreTransaction
    ) throws -> [DeviceRequest] {
        try db.rows(
            """
            SELECT \(columns) FROM request
            WHERE environment = $1 AND account_id = $2 AND status = 'deferred' AND bundle_id = $3 AND product_id = $4
            ORDER BY transaction_id LIMIT 100
            """, [db.environment.rawValue, account, product.bundleIdentifier, product.productIdentifier]
        ).map(DeviceRequest.init)
    }

    /// Requests that no parent has answered in time, at most two hundred.
    static func unanswered(_ db: StoreTransaction) throws -> [DeviceRequest] {
        try db.rows(
            """
            SELECT \(columns) FROM request
            WHERE environment = $1 AND status = 'deferred' AND answer_due_at IS NOT NULL AND answer_due_at <= $2
            ORDER BY answer_due_at, device_id, request_id LIMIT 200
            """, [db.environment.rawValue, db.now.milliseconds]
        ).map(DeviceRequest.init)
    }

    /// Computes the wall time of the ends of an account's requests again, after
    /// its clock was moved.
    static func moveEnds(of account: AccountIdentifier, by offset: Int64, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE request SET answer_due_at = answer_until - $3
            WHERE environment = $1 AND account_id = $2 AND status = 'deferred' AND answer_until IS NOT NULL
            """, [db.environment.rawValue, account, offset])
    }

    /// Fails a restore that is answered, because its list is deleted.
    static func failRestore(
        _ identifier: RequestIdentifier, of device: DeviceIdentifier, because failure: PurchaseFailure,
        _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            UPDATE request SET status = 'failed', failure_code = $4, failure_message = $5
            WHERE environment = $1 AND device_id = $2 AND request_id = $3 AND status = 'done'
            """, [db.environment.rawValue, device, identifier, failure.code.rawValue, failure.message])
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO request (environment, device_id, request_id, kind, bundle_id, product_id, quantity, username,
                status, account_id, transaction_id, event_number, failure_code, failure_message, created_at,
                changed_at, simulates_ask_to_buy, deferred_at, interrupted_at, discount,
                answer_until, answer_due_at, tokens, accepts_running, failure_server_code)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18, $19, $20,
                $21, $22, $23, $24)
            """,
            [
                db.environment.rawValue, device, identifier, kind.rawValue, bundleIdentifier,
                productIdentifier,
                quantity, applicationUsername, status.rawValue, account, transactionIdentifier, eventNumber,
                failure?.code.rawValue, failure?.message, db.now.milliseconds, simulatesAskToBuy,
                deferred?.milliseconds,
                interrupted?.milliseconds, try discount?.stored, answerUntil?.milliseconds, answerDue?.milliseconds,
                tokens?.text, acceptsRunning, failure?.underlying?.code,
            ])
    }

    /// Moves the request from one status to another; `false` when its status
    /// has changed since it was read, for example because the app withdrew
    /// it. ``update(_:_:)`` saves the other values.
    mutating func move(from old: Status, to new: Status, _ db: StoreTransaction) throws -> Bool {
        let changed = try db.run(
            """
            UPDATE request SET status = $5, changed_at = $6
            WHERE environment = $1 AND device_id = $2 AND request_id = $3 AND status = $4
            """,
            [db.environment.rawValue, device, identifier, old.rawValue, new.rawValue, db.now.milliseconds])
        if changed == 1 { status = new }
        return changed == 1
    }

    /// Saves the values that can change: the status, the account, the answer,
    /// and the product and the code of a redemption.
    func update(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE request SET status = $4, account_id = $5, transaction_id = $6, event_number = $7,
                failure_code = $8, failure_message = $9, deferred_at = $10, interrupted_at = $11, changed_at = $12,
                contact = $13, offer = $14, confirmed = $15, product_id = $16, code = $17,
                answer_until = $18, answer_due_at = $19, tokens = $20, failure_server_code = $21
            WHERE environment = $1 AND device_id = $2 AND request_id = $3
            """,
            [
                db.environment.rawValue, device, identifier, status.rawValue, account, transactionIdentifier,
                eventNumber, failure?.code.rawValue, failure?.message, deferred?.milliseconds,
                interrupted?.milliseconds, db.now.milliseconds, try contact?.stored, try appliedOffer?.stored,
                try confirmed?.stored, productIdentifier, try code?.stored, answerUntil?.milliseconds,
                answerDue?.milliseconds, tokens?.text, failure?.underlying?.code,
            ])
    }
}
