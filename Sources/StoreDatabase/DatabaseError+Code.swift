// SPDX-License-Identifier: Apache-2.0

extension DatabaseError {
    /// The kinds of failure that callers distinguish.
    ///
    /// A struct, because a new case of an enum would break exhaustive `switch`
    /// statements of callers.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case uniqueViolation, constraintViolation, busy, overloaded, diskFull, readOnly
            case unreachable, notADatabase, newerSchema, table, column, value, closed, other
        }

        private let name: Name

        /// A row with these values exists already;
        /// ``DatabaseError/constraint`` names the violated index.
        public static let uniqueViolation = Code(name: .uniqueViolation)
        /// A `NOT NULL`, `CHECK` or foreign key forbids the row.
        public static let constraintViolation = Code(name: .constraintViolation)
        /// Another process or transaction holds a lock for too long, a statement
        /// takes too long, or conflicts with other transactions continue.
        public static let busy = Code(name: .busy)
        /// Too many calls wait for the database. This one was not begun; it may
        /// be repeated later.
        public static let overloaded = Code(name: .overloaded)
        /// There is no room on the disk.
        public static let diskFull = Code(name: .diskFull)
        /// The database can't be opened or written, or a read tried to write.
        public static let readOnly = Code(name: .readOnly)
        /// The server can't be reached, rejects this process, or was lost during
        /// a write.
        public static let unreachable = Code(name: .unreachable)
        /// The file or the server isn't a database, or is damaged.
        public static let notADatabase = Code(name: .notADatabase)
        /// A newer version of the program has changed the tables.
        public static let newerSchema = Code(name: .newerSchema)
        /// A table is missing: the database is empty, or older than the
        /// migration that makes the table.
        public static let table = Code(name: .table)
        /// A column is missing, or holds another kind of value than expected.
        public static let column = Code(name: .column)
        /// A value can't be stored, text with a NUL character for example.
        public static let value = Code(name: .value)
        /// The database has been closed.
        public static let closed = Code(name: .closed)
        /// Anything else, a mistake in the SQL for example.
        public static let other = Code(name: .other)

        /// The name of the constant.
        public var description: String { name.rawValue }
    }
}
