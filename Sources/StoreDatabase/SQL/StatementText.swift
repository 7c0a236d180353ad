// SPDX-License-Identifier: Apache-2.0

/// The facts that an engine derives from the text of a statement.
package struct StatementText: Sendable, Hashable {
    /// The word that the statement begins with, in capitals.
    package let keyword: String

    /// The highest parameter number in the text.
    package let parameterCount: Int

    /// The parameter numbers in SQLite's order; `nil` when the arguments have
    /// to be bound by name.
    let parameterOrder: [Int]?

    /// Whether it makes, changes or removes a table or an index.
    var changesSchema: Bool { ["CREATE", "ALTER", "DROP"].contains(keyword) }

    /// Derives the facts. Ends the process for a statement that begins or ends
    /// a transaction.
    package init(_ sql: String) {
        TransactionCommand.refuse(sql)
        keyword = TransactionCommand.keyword(of: sql)
        parameterCount = ParameterCount.highest(in: sql)
        parameterOrder = ParameterOrder.firstAppearances(in: sql)
    }
}
