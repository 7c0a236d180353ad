// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    /// Where a SQLite database lives.
    public struct Location: Sendable, Hashable {
        /// The file's path; `nil` in memory.
        let path: String?

        /// In the memory of this process: gone when the database is closed,
        /// and shared with no other ``SQLiteDatabase``.
        public static let memory = Location(path: nil)

        /// In a file, made with permissions 0600 when there is none, in a
        /// folder made with permissions 0700 when there is none.
        public static func file(_ path: String) -> Location { Location(path: path) }

        /// The database in a message.
        var name: String { path.map { "The database \($0)" } ?? "The database in memory" }
    }
}
