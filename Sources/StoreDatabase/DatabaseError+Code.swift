// SPDX-License-Identifier: Apache-2.0

extension DatabaseError {
    /// The kinds of failure that callers tell apart.
    ///
    /// A struct, so that a new kind doesn't break anybody's `switch`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case uniqueViolation, constraintViolation, busy, diskFull, readOnly
            case unreachable, notADatabase, newerSchema, column, value, closed, other
        }

        private let name: Name

        /// A row with these values is there already;
        /// ``DatabaseError/constraint`` names the index that says so.
        public static let uniqueViolation = Code(name: .uniqueViolation)
        /// A `NOT NULL`, `CHECK` or foreign key forbids the row.
        public static let constraintViolation = Code(name: .constraintViolation)
        /// Another process holds the lock for longer than the busy timeout.
        public static let busy = Code(name: .busy)
        /// There is no room for what was to be written.
        public static let diskFull = Code(name: .diskFull)
        /// The file can't be opened or written, or a read tried to write.
        public static let readOnly = Code(name: .readOnly)
        /// The server can't be reached, or doesn't let this process in.
        public static let unreachable = Code(name: .unreachable)
        /// The file isn't a database, or is damaged.
        public static let notADatabase = Code(name: .notADatabase)
        /// A newer version of the program has changed the tables.
        public static let newerSchema = Code(name: .newerSchema)
        /// A column is missing, or holds something else than was asked for.
        public static let column = Code(name: .column)
        /// A value can't be stored: text with a NUL character.
        public static let value = Code(name: .value)
        /// The database was closed before.
        public static let closed = Code(name: .closed)
        /// Anything else, a mistake in the SQL for example.
        public static let other = Code(name: .other)

        /// The name of the constant.
        public var description: String { name.rawValue }
    }
}
