// SPDX-License-Identifier: Apache-2.0

/// The statements that begin and end transactions. Only the engine runs them.
package enum TransactionCommand {
    private static let words: Set<String> = [
        "ABORT", "BEGIN", "COMMIT", "END", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
    ]

    /// Ends the process when a closure passes such a statement. The statement
    /// would end the transaction that the closure shares with others.
    package static func refuse(_ sql: String) {
        precondition(
            !contains(sql),
            "a closure must not run \"\(sql)\": the database begins and ends the transaction around it")
    }

    static func contains(_ sql: String) -> Bool {
        words.contains(keyword(of: sql))
    }

    /// The word that a statement begins with, in capitals.
    package static func keyword(of sql: String) -> String {
        withoutLeadingComments(sql[...]).prefix { $0.isASCII && $0.isLetter }.uppercased()
    }

    private static func withoutLeadingComments(_ sql: Substring) -> Substring {
        let sql = sql.drop { $0.isWhitespace || $0 == ";" }
        if sql.hasPrefix("--") {
            return withoutLeadingComments(sql.drop { !$0.isNewline })
        }
        if sql.hasPrefix("/*") {
            guard let end = sql.firstRange(of: "*/") else { return "" }
            return withoutLeadingComments(sql[end.upperBound...])
        }
        return sql
    }
}
