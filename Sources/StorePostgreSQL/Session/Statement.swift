// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// What a session knows of one text of SQL.
final class Statement {
    let sql: String

    /// The highest number of a parameter in it.
    let parameterCount: Int

    /// It changes tables themselves, not rows.
    let changesSchema: Bool

    /// It is worth keeping prepared; the others have no plan.
    let isPrepared: Bool

    private var variants: [Prepared] = []

    struct Prepared {
        let name: String
        let types: [Oid]
    }

    /// Ends the process for what begins or ends a transaction.
    init(_ sql: String) {
        TransactionCommand.refuse(sql)
        self.sql = sql
        parameterCount = ParameterCount.highest(in: sql)
        let keyword = TransactionCommand.keyword(of: sql)
        changesSchema = ["CREATE", "ALTER", "DROP"].contains(keyword)
        isPrepared = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES"].contains(keyword)
    }

    /// The name of a variant that takes arguments of these types. `NULL` fits
    /// all of them, and a parameter that was `NULL` at first got its type from
    /// the statement.
    func prepared(for types: [Oid]) -> String? {
        variants.first { variant in
            zip(variant.types, types).allSatisfy { known, type in
                known == type || known == ParameterType.unknown || type == ParameterType.unknown
            }
        }?.name
    }

    /// Remembers a variant that the server has prepared.
    func remember(_ variant: Prepared) { variants.append(variant) }

    /// Forgets the variants, which the server is about to do too.
    func forget() { variants = [] }
}

/// How to run a statement once.
struct Plan {
    let statement: Statement
    let commands: [Command]
    /// What the server has prepared once the last command is reached.
    var new: Statement.Prepared?
}

extension Plan {
    /// Tells the statement that the server has prepared it.
    func remember() {
        if let new { statement.remember(new) }
    }
}
