// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension RecoveryCode {
    /// Replaces all codes of a user.
    static func replace(of user: TeamUserIdentifier, by codes: [RecoveryCode], _ db: StoreTransaction) throws {
        try deleteAll(of: user, db)
        for code in codes {
            try db.run("INSERT INTO recovery_code (user_id, code_hash) VALUES ($1, $2)", [user, code.hash])
        }
    }

    /// Whether the user has the code, and hasn't used it.
    func isSaved(of user: TeamUserIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row("SELECT 1 FROM recovery_code WHERE user_id = $1 AND code_hash = $2", [user, hash]) != nil
    }

    /// Uses a code; `false` when the user has no such code, or has used it.
    func use(by user: TeamUserIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.run("DELETE FROM recovery_code WHERE user_id = $1 AND code_hash = $2", [user, hash]) == 1
    }

    /// The number of codes that a user has left.
    static func count(of user: TeamUserIdentifier, _ db: StoreTransaction) throws -> Int {
        try db.row("SELECT count(*) AS n FROM recovery_code WHERE user_id = $1", [user])?.get("n") ?? 0
    }

    static func deleteAll(of user: TeamUserIdentifier, _ db: StoreTransaction) throws {
        try db.run("DELETE FROM recovery_code WHERE user_id = $1", [user])
    }
}
