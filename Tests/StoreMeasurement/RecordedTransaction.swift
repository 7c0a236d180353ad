// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// A transaction that a ``RecordingDatabase`` has recorded.
package struct RecordedTransaction: Sendable {
    /// The method of the database.
    package enum Kind: Hashable, Sendable {
        case read
        case write(WriteScope)
    }

    /// A statement with the arguments of this execution.
    package struct Statement: Sendable {
        package var sql: String
        package var arguments: [DatabaseValue]

        /// Makes a statement.
        package init(sql: String, arguments: [DatabaseValue]) {
            self.sql = sql
            self.arguments = arguments
        }
    }

    package var kind: Kind
    /// The statements of the closure, in their order.
    package var statements: [Statement]

    /// Whether the transaction changes rows.
    package var isWrite: Bool { kind != .read }
}
