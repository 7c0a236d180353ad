// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension PaymentMethod {
    /// The methods of an account, the oldest first.
    static func list(of account: AccountIdentifier, _ db: StoreTransaction) throws -> [PaymentMethod] {
        try db.rows(
            """
            SELECT method_id, kind, label, digits, reference, expires_store_at, added_at FROM payment_method
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """, [db.environment.rawValue, account, account.bucket]
        ).map(PaymentMethod.init).sorted { ($0.added, $0.identifier) < ($1.added, $1.identifier) }
    }

    static func find(
        _ identifier: PaymentMethodIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> PaymentMethod? {
        try db.row(
            """
            SELECT method_id, kind, label, digits, reference, expires_store_at, added_at FROM payment_method
            WHERE environment = $1 AND account_id = $2 AND method_id = $3 AND bucket = $4
            """, [db.environment.rawValue, account, identifier, account.bucket]
        ).map(PaymentMethod.init)
    }

    /// The method that a payment for an account is charged by: the one of the
    /// payer that the customer has chosen, or else the preferred one; `nil`
    /// for the provider's standard method. A payer who has closed the account
    /// has no method, and no other account is charged then.
    ///
    /// The payment keeps the method. A payer who removes it at the same time
    /// removes it for later payments.
    ///
    /// - Throws: ``DomainError``: `declined` when the payer has none,
    ///   `priceChanged` when the payer doesn't have the chosen one.
    static func charging(
        _ payer: AccountIdentifier, for account: Account, by chosen: PaymentMethodIdentifier? = nil,
        _ db: StoreTransaction
    ) throws -> Charged? {
        guard let payer = payer == account.identifier ? account : try Account.findOpen(payer, db) else {
            throw missing
        }
        if let chosen {
            guard let method = try find(chosen, of: payer.identifier, db) else { throw changed }
            return method.charged
        }
        switch payer.paymentMethod {
        case .standard: return nil
        case .none: throw missing
        case .method(let preferred):
            guard let method = try find(preferred, of: payer.identifier, db) else { throw missing }
            return method.charged
        }
    }

    func insert(for account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO payment_method (environment, account_id, bucket, method_id, kind, label, digits,
                reference, expires_store_at, added_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                db.environment.rawValue, account, account.bucket, identifier, kind, label, digits, reference,
                expires?.milliseconds, added.milliseconds,
            ])
    }

    /// Deletes a method; `false` when the account doesn't have it.
    static func delete(
        _ identifier: PaymentMethodIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.run(
            "DELETE FROM payment_method WHERE environment = $1 AND account_id = $2 AND method_id = $3 AND bucket = $4",
            [db.environment.rawValue, account, identifier, account.bucket]) == 1
    }

    static func deleteAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM payment_method WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, account, account.bucket])
    }

    private init(_ row: Row) throws {
        let expires: Int64? = try row.get("expires_store_at")
        self.init(
            identifier: try row.get("method_id"), kind: try row.get("kind"), label: try row.get("label"),
            digits: try row.get("digits"), reference: try row.get("reference"),
            expires: expires.map(StoreTime.init(milliseconds:)),
            added: WallTime(milliseconds: try row.get("added_at")))
    }
}

extension PaymentMethod.Preferred {
    /// Reads the column `payment_method` of an account.
    init(stored: PaymentMethodIdentifier?) {
        self = stored.map { $0.rawValue.isEmpty ? .none : .method($0) } ?? .standard
    }

    private var stored: PaymentMethodIdentifier? {
        switch self {
        case .standard: nil
        case .none: ""
        case .method(let identifier): identifier
        }
    }

    func save(for account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE account SET payment_method = $4 WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, account, account.bucket, stored])
    }
}
