// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    /// The place of a SQLite database: a file or memory.
    public struct Location: Sendable, Hashable {
        /// The file's path; `nil` in memory.
        let path: String?

        /// In the memory of this process: deleted when the database is closed,
        /// and shared with no other ``SQLiteDatabase``.
        public static let memory = Location(path: nil)

        /// In a file. A missing file is made with permissions 0600, a missing
        /// folder with permissions 0700.
        public static func file(_ path: String) -> Location { Location(path: path) }

        /// The database's name at the beginning of a message.
        var name: String { path.map { "The database \($0)" } ?? "The database in memory" }
    }
}
