// SPDX-License-Identifier: Apache-2.0

/// One step of the schema's history.
public struct Migration: Sendable {
    /// The name under which the database remembers that the step was taken.
    public let name: String

    let statements: [String]

    /// Makes a step out of statements, one per string, without parameters.
    ///
    /// Once released, a migration is never edited: databases that have taken
    /// the step wouldn't notice.
    public init(_ name: String, _ sql: [String]) {
        self.name = name
        statements = sql
    }
}
