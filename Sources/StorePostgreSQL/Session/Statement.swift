// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// The text of a statement and its prepared variants in one session.
final class Statement {
    let sql: String

    /// The highest parameter number in the text.
    let parameterCount: Int

    /// Whether the statement changes tables themselves, not rows.
    let changesSchema: Bool

    /// Whether the statement is prepared. Statements without a query plan are
    /// not.
    let isPrepared: Bool

    private var variants: [Prepared] = []

    struct Prepared {
        let name: String
        let types: [Oid]
    }

    /// Ends the process for a statement that begins or ends a transaction.
    init(_ sql: String) {
        let text = StatementTexts.shared.text(of: sql).text
        self.sql = sql
        parameterCount = text.parameterCount
        changesSchema = ["CREATE", "ALTER", "DROP"].contains(text.keyword)
        isPrepared = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES"].contains(text.keyword)
    }

    /// The name of a prepared variant that takes arguments of these types.
    /// `NULL` fits all types, and for a parameter that was `NULL` at first
    /// PostgreSQL has inferred the type from the statement.
    func prepared(for types: [Oid]) -> String? {
        variants.first { variant in
            zip(variant.types, types).allSatisfy { known, type in
                known == type || known == ParameterType.unknown || type == ParameterType.unknown
            }
        }?.name
    }

    /// Adds a variant that the server has prepared.
    func remember(_ variant: Prepared) { variants.append(variant) }

    /// Removes the variants. The caller has the server drop them, too.
    func forget() { variants = [] }
}

/// The commands that run a statement once.
struct Plan {
    let statement: Statement
    let commands: [Command]
    /// The variant that the server has prepared when it reaches the last
    /// command.
    var new: Statement.Prepared?
}

extension Plan {
    /// Records the new variant in the statement.
    func remember() {
        if let new { statement.remember(new) }
    }
}
