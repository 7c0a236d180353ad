// SPDX-License-Identifier: Apache-2.0

/// One step in the history of the schema.
public struct Migration: Sendable {
    /// The name that the database records once the migration is applied.
    public let name: String

    let statements: [String]

    /// Makes a migration from statements without parameters, one per string.
    ///
    /// Never edit a released migration: databases that have applied it do not
    /// apply it again.
    public init(_ name: String, _ sql: [String]) {
        self.name = name
        statements = sql
    }
}
