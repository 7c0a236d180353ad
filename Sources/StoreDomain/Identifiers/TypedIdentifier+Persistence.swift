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
