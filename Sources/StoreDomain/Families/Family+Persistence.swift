// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Family {
    /// The family of an account; `nil` for an account without one.
    static func of(_ account: AccountIdentifier, _ db: StoreTransaction) throws -> Family? {
        guard
            let row = try db.row(
                "SELECT family_id FROM family_member WHERE environment = $1 AND account_id = $2",
                [db.environment.rawValue, account])
        else { return nil }
        let identifier: FamilyIdentifier = try row.get("family_id")
        let members = try db.rows(
            """
            SELECT family_member.account_id, family_member.role, family_member.joined_at, account.email,
                account.asks_to_buy
            FROM family_member JOIN account ON account.environment = family_member.environment
                AND account.account_id = family_member.account_id AND account.bucket = family_member.account_bucket
            WHERE family_member.environment = $1 AND family_member.family_id = $2
            """, [db.environment.rawValue, identifier]
        ).map(FamilyMember.init)
        return Family(identifier: identifier, members: members.sorted(by: FamilyMember.precedes))
    }

    /// Locks the accounts of all members, so that no other transaction changes
    /// one of them until this one ends. They are locked in the order of their
    /// identifiers.
    func hold(_ db: StoreTransaction) throws {
        for account in members.map(\.account).sorted() { _ = try Account.hold(account, db) }
    }
}

extension FamilyMember {
    init(_ row: Row) throws {
        self.init(
            account: try row.get("account_id"), email: try row.get("email"),
            role: Role(rawValue: try row.get("role")), asksToBuy: try row.get("asks_to_buy"),
            joined: WallTime(milliseconds: try row.get("joined_at")))
    }

    /// The order of a family's members: the organiser, then by the moment of
    /// joining.
    static func precedes(_ left: FamilyMember, _ right: FamilyMember) -> Bool {
        guard (left.role == .organiser) == (right.role == .organiser) else { return left.role == .organiser }
        return (left.joined.milliseconds, left.account) < (right.joined.milliseconds, right.account)
    }

    func insert(into family: FamilyIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO family_member (environment, account_id, account_bucket, family_id, role, joined_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [db.environment.rawValue, account, account.bucket, family, role.rawValue, joined.milliseconds])
    }

    func saveRole(_ db: StoreTransaction) throws {
        try db.run(
            "UPDATE family_member SET role = $3 WHERE environment = $1 AND account_id = $2",
            [db.environment.rawValue, account, role.rawValue])
    }

    func delete(_ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM family_member WHERE environment = $1 AND account_id = $2",
            [db.environment.rawValue, account])
    }
}
