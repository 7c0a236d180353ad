// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension SignedState {
    static func load(_ connection: any Connection) throws -> SignedState {
        guard let row = try connection.row("SELECT * FROM signed_state") else { return SignedState() }
        let account: String? = try row.get("account")
        let number: Int64? = try row.get("number")
        return SignedState(
            position: account.flatMap { account in number.map { EventPosition(account: account, number: $0) } },
            account: account, place: try row.get("place"), isPartial: try row.get("is_partial"),
            isUsed: try row.get("is_used"), change: try row.get("change"), delivered: try row.get("delivered"),
            wanted: try row.get("wanted"), known: try row.get("known"), app: try row.get("app"))
    }

    func save(_ connection: any Connection) throws {
        try connection.run("DELETE FROM signed_state")
        try connection.run(
            """
            INSERT INTO signed_state (account, number, place, is_partial, is_used, change, delivered, wanted, known, app)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [account, position?.number, place, isPartial, isUsed, change, delivered, wanted, known, app])
    }

    @discardableResult
    static func update<T>(_ connection: any Connection, _ body: (inout SignedState) throws -> T) throws -> T {
        var state = try load(connection)
        let result = try body(&state)
        try state.save(connection)
        return result
    }
}
