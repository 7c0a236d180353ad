// SPDX-License-Identifier: Apache-2.0

/// Why the database didn't do what it was asked.
///
/// Two errors are equal when their codes are: tests and callers decide by the
/// code, people read the message. A message names the file and what to do
/// about it, and never holds a bound value, which may be a secret.
public struct DatabaseError: Error, Sendable {
    /// What went wrong.
    public var code: Code

    /// One or two sentences for the person who has to fix it.
    public var message: String

    /// The violated unique index, for ``Code/uniqueViolation``.
    ///
    /// A primary key is called `<table>_pkey`, as PostgreSQL does. `nil` when
    /// the engine can't tell which of several indexes over the same columns
    /// it was.
    public var constraint: String?

    /// Makes an error; `constraint` belongs to ``Code/uniqueViolation`` alone.
    public init(_ code: Code, _ message: String, constraint: String? = nil) {
        self.code = code
        self.message = message
        self.constraint = constraint
    }
}

extension DatabaseError: Hashable {
    /// Whether both errors have the same code.
    public static func == (left: DatabaseError, right: DatabaseError) -> Bool { left.code == right.code }

    /// Hashes the code, as equality demands.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension DatabaseError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension DatabaseError {
    /// A value of the wrong kind; ``Row/get(_:)`` puts the column before it.
    init(holding value: DatabaseValue, wanted: String) {
        self.init(.column, "holds \(value.kind) where \(wanted) is wanted")
    }
}
