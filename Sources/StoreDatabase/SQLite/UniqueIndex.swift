// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The unique index that a message of SQLite refers to.
///
/// The message names the columns (`UNIQUE constraint failed: t.a, t.b`). It
/// names the index only if that is over expressions
/// (`… failed: index 'name'`).
enum UniqueIndex {
    case named(String)
    case columns([String], table: String)

    init?(message: String) {
        guard let colon = message.firstRange(of: "failed: ") else { return nil }
        let subject = message[colon.upperBound...]
        if subject.hasPrefix("index '") {
            self = .named(String(subject.dropFirst("index '".count).prefix { $0 != "'" }))
            return
        }
        let parts = subject.split(separator: ", ").map { $0.split(separator: ".", maxSplits: 1) }
        guard let table = parts.first?.first, parts.allSatisfy({ $0.count == 2 && $0[0] == table }) else { return nil }
        self = .columns(parts.map { String($0[1]) }, table: String(table))
    }

    /// The index's name, or `nil` when several indexes match.
    ///
    /// An index without a name in the schema gets the name that PostgreSQL
    /// would give it.
    func name(in database: GRDB.Database) -> String? {
        switch self {
        case .named(let name):
            return name
        case .columns(let columns, let table):
            let names = (try? Self.names(columns: columns, table: table, in: database)) ?? []
            guard names.count <= 1 else { return nil }
            // An INTEGER PRIMARY KEY is the rowid and has no index.
            return names.first ?? "\(table)_pkey"
        }
    }

    private static func names(columns: [String], table: String, in database: GRDB.Database) throws -> [String] {
        let indexes = try GRDB.Row.fetchAll(
            database, sql: "SELECT name, origin FROM pragma_index_list(?) WHERE \"unique\"", arguments: [table])
        return try indexes.compactMap { index in
            let name: String = index["name"]
            let indexed = try String?.fetchAll(
                database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [name])
            guard indexed == columns else { return nil }
            switch index["origin"] as String {
            case "pk": return "\(table)_pkey"
            case "u": return "\(table)_\(columns.joined(separator: "_"))_key"
            default: return name
            }
        }
    }
}
