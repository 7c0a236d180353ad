// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

extension TypedIdentifier: DatabaseValueConvertible {
    /// The identifier as `TEXT`.
    package var databaseValue: DatabaseValue { rawValue.databaseValue }

    /// Takes `TEXT`.
    ///
    /// - Throws: `DatabaseError` with the code `column` for anything else.
    package init(databaseValue: DatabaseValue) throws {
        self.init(rawValue: try String(databaseValue: databaseValue))
    }
}

/// A statement that looks a transaction up by its identifier alone.
extension TransactionIdentifier {
    /// The condition that a row of a table is in the identifier's bucket, the
    /// parameter `place`, to follow another condition; empty for an identifier
    /// without a bucket.
    func condition(_ table: String, place: Int) -> String {
        bucket == nil ? "" : " AND \(table).bucket = $\(place)"
    }

    /// The bucket as the argument of the condition, if there is one.
    var bucketArguments: [any DatabaseValueConvertible] { bucket.map { [$0] } ?? [] }
}
