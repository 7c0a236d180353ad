// SPDX-License-Identifier: Apache-2.0

/// A failure of a database operation.
///
/// Two errors are equal when their codes are equal: callers and tests decide
/// by the code, an operator reads the message. A message names the database
/// and the remedy. It never contains a bound value, which may be a secret.
public struct DatabaseError: Error, Sendable {
    /// The kind of failure.
    public var code: Code

    /// One or two sentences for the operator who has to fix the cause.
    public var message: String

    /// The violated unique index, for ``Code/uniqueViolation``.
    ///
    /// `<table>_pkey` for a primary key, as in PostgreSQL. `nil` when the
    /// engine can't identify one of several indexes over the same columns.
    public var constraint: String?

    /// Makes an error; only ``Code/uniqueViolation`` has a `constraint`.
    public init(_ code: Code, _ message: String, constraint: String? = nil) {
        self.code = code
        self.message = message
        self.constraint = constraint
    }
}

extension DatabaseError: Hashable {
    /// Whether both errors have the same code.
    public static func == (left: DatabaseError, right: DatabaseError) -> Bool { left.code == right.code }

    /// Hashes the code, which alone decides equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension DatabaseError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension DatabaseError {
    /// The error for a value of the wrong kind. ``Row/get(_:)`` adds the name
    /// of the column.
    init(holding value: DatabaseValue, wanted: String) {
        self.init(.column, "holds \(value.kind) where \(wanted) is wanted")
    }
}
