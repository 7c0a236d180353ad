// SPDX-License-Identifier: Apache-2.0

/// The statements that begin and end transactions, which are the engine's.
enum TransactionCommand {
    private static let words: Set<String> = [
        "ABORT", "BEGIN", "COMMIT", "END", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
    ]

    /// Ends the process when a closure tries to end its own transaction: its
    /// neighbours in the same commit would lose theirs.
    static func refuse(_ sql: String) {
        precondition(
            !contains(sql),
            "a closure must not run \"\(sql)\": the database begins and ends the transaction around it")
    }

    static func contains(_ sql: String) -> Bool {
        let word = withoutLeadingComments(sql[...]).prefix { $0.isASCII && $0.isLetter }
        return words.contains(word.uppercased())
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
