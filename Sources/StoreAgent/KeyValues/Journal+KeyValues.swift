// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase

extension Journal {
    func keyValues() throws -> [String: Data] {
        try database.read { connection in
            var values: [String: Data] = [:]
            for row in try connection.rows("SELECT key_name, value FROM key_value WHERE value IS NOT NULL") {
                let text: String = try row.get("value")
                values[try row.get("key_name")] = Data(base64Encoded: text)
            }
            return values
        }
    }

    /// The number of the last change that came from the store.
    func keyValueChange() throws -> Int64 {
        try database.read { try KeyValueState.load($0).change }
    }

    /// The changes that came from the store after a given one, by their
    /// reasons.
    func keyValueNews(after change: Int64) throws -> (news: [KeyValueNews], last: Int64) {
        try database.read { connection in
            let rows = try connection.rows(
                "SELECT key_name, reason, change FROM key_value WHERE change > $1 ORDER BY change", [change])
            var keys: [KeyValueNews.Reason: [String]] = [:]
            for row in rows {
                keys[KeyValueNews.Reason(rawValue: try row.get("reason")) ?? .server, default: []]
                    .append(try row.get("key_name"))
            }
            let news = keys.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { KeyValueNews(reason: $0.key, keys: $0.value) }
            return (news, try rows.last?.get("change") ?? change)
        }
    }

    func useKeyValues() throws {
        try database.write { connection in
            try KeyValueState.update(connection) { state in
                state.isUsed = true
                state.wanted += 1
            }
        }
    }

    /// Sets or removes a value on this device.
    ///
    /// The number of the write is at least the current time in milliseconds,
    /// so that a journal that was deleted and created again continues above
    /// the numbers that the store has received from this device.
    ///
    /// - Throws: ``AgentError`` with the code `keyValues`, `DatabaseError`.
    func write(_ value: KeyValueInfo, now: Int64) throws {
        guard (1...KeyValueLimits.keyBytes).contains(value.key.utf8.count) else {
            throw AgentError(
                .keyValues, "A key has 1 to \(KeyValueLimits.keyBytes) bytes in UTF-8; \"\(value.key)\" hasn't.")
        }
        try database.write { connection in
            let before = try KeyValueRow.load(connection, value.key)
            guard before?.value != value.value else { return }
            if let new = value.value {
                let row = try connection.row(
                    """
                    SELECT count(*) AS n,
                        COALESCE(SUM(LENGTH(value) / 4 * 3 - LENGTH(value) + LENGTH(RTRIM(value, '='))), 0) AS bytes
                    FROM key_value WHERE value IS NOT NULL AND key_name <> $1
                    """, [value.key])
                let keys: Int = try row?.get("n") ?? 0
                let others: Int = try row?.get("bytes") ?? 0
                let bytes = Data(base64Encoded: new)?.count ?? 0
                guard keys < KeyValueLimits.keys, others + bytes <= KeyValueLimits.valueBytes else {
                    throw AgentError(
                        .keyValues,
                        """
                        There is no room for "\(value.key)": an app has \(KeyValueLimits.keys) keys, and \
                        \(KeyValueLimits.valueBytes) bytes of values.
                        """)
                }
            }
            let state = try KeyValueState.update(connection) { state in
                state.isUsed = true
                state.sequence = max(state.sequence + 1, now)
                return state
            }
            try KeyValueRow(
                key: value.key, value: value.value, written: state.sequence, change: before?.change ?? 0,
                reason: before?.reason ?? 0
            ).save(connection)
        }
    }

    /// The writes to send, and the current count of reasons to ask the store.
    func keyValueQuestion(of bundleIdentifier: String) async throws -> (KeyValuesCall, wanted: Int64) {
        try await database.read { connection in
            let state = try KeyValueState.load(connection)
            let rows = try connection.rows("SELECT * FROM key_value WHERE written > 0 ORDER BY written")
            let call = KeyValuesCall(
                bundleIdentifier: bundleIdentifier,
                writes: try rows.map { row in
                    let row = try KeyValueRow(row)
                    return KeyValueWrite(key: row.key, value: row.value, sequence: row.written)
                }, position: state.position)
            return (call, state.wanted)
        }
    }

    /// Saves the store's answer.
    func keyValuesAnswered(
        _ answer: KeyValuesCall.Answer, to call: KeyValuesCall, wanted: Int64
    ) async throws {
        try await database.write { connection in
            var state = try KeyValueState.load(connection)
            state.known = max(state.known, wanted)
            state.isSignedOut = answer.position == nil
            guard let position = answer.position else { return try state.save(connection) }
            let isOfAnother = state.position != nil && state.position?.account != position.account
            let reason: KeyValueNews.Reason =
                isOfAnother ? .accountChange : state.position == nil ? .initialSync : .server
            if isOfAnother {
                // Unsent writes belong to the other account; they aren't sent
                // for this one.
                try connection.run("UPDATE key_value SET written = 0")
            } else {
                for write in call.writes {
                    try connection.run(
                        "UPDATE key_value SET written = 0 WHERE key_name = $1 AND written = $2",
                        [write.key, write.sequence])
                }
            }
            for value in answer.values { try state.take(value, because: reason, connection) }
            for value in answer.refused { try state.take(value, because: .quotaViolation, connection) }
            if answer.isWhole {
                let kept = Set(answer.values.map(\.key)).union(answer.refused.map(\.key))
                for row in try connection.rows("SELECT key_name FROM key_value WHERE value IS NOT NULL") {
                    let key: String = try row.get("key_name")
                    if !kept.contains(key) {
                        try state.take(KeyValueInfo(key: key, value: nil), because: reason, connection)
                    }
                }
            }
            state.position = position
            try state.save(connection)
            try Self.checkSize(connection)
        }
    }

    /// The number of rows above which an answer is refused. Removed keys have
    /// rows too.
    private static let rowLimit = 100 * KeyValueLimits.keys
    /// The largest size of all values in base64: the account's, and as many
    /// again that this device has written and the store hasn't confirmed.
    private static let textLimit = 3 * KeyValueLimits.valueBytes

    private static func checkSize(_ connection: any Connection) throws {
        let row = try connection.row("SELECT count(*) AS n, COALESCE(SUM(LENGTH(value)), 0) AS size FROM key_value")
        let rows: Int = try row?.get("n") ?? 0
        let size: Int = try row?.get("size") ?? 0
        guard rows <= rowLimit, size <= textLimit else {
            throw StoreFailure(
                .unreadableAnswer, "The store has sent more keys and values than an app may keep for an account.")
        }
    }

    /// Whether the store has to be asked.
    func needsKeyValues() async throws -> Bool {
        try await database.read { connection in try Self.needsKeyValues(connection) }
    }

    /// Whether the store has to be asked.
    static func needsKeyValues(_ connection: any Connection) throws -> Bool {
        let state = try KeyValueState.load(connection)
        guard state.isUsed else { return false }
        if state.known < state.wanted { return true }
        // Writes wait until a customer signs in.
        if state.isSignedOut { return false }
        return try connection.row("SELECT 1 AS one FROM key_value WHERE written > 0 LIMIT 1") != nil
    }

    /// Records that values may have been written elsewhere.
    static func wantKeyValues(_ connection: any Connection) throws {
        try KeyValueState.update(connection) { $0.wanted += 1 }
    }
}

/// The state of the key-value store apart from the values.
private struct KeyValueState {
    var position: EventPosition?
    /// The number of this device's last write.
    var sequence: Int64 = 0
    /// The number of the last change that came from the store.
    var change: Int64 = 0
    /// Whether the app has used the key-value store.
    var isUsed = false
    /// `wanted` counts the reasons to ask the store; `known` is the count
    /// that the last answer covers.
    var wanted: Int64 = 0
    var known: Int64 = 0
    /// Whether no account was signed in at the last answer.
    var isSignedOut = false

    static func load(_ connection: any Connection) throws -> KeyValueState {
        guard let row = try connection.row("SELECT * FROM key_value_state") else { return KeyValueState() }
        return KeyValueState(
            position: try EventPosition(row, "account", "number"), sequence: try row.get("sequence"),
            change: try row.get("change"), isUsed: try row.get("is_used"), wanted: try row.get("wanted"),
            known: try row.get("known"), isSignedOut: try row.get("is_signed_out"))
    }

    func save(_ connection: any Connection) throws {
        try connection.run("DELETE FROM key_value_state")
        try connection.run(
            """
            INSERT INTO key_value_state (account, number, sequence, change, is_used, wanted, known, is_signed_out)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [position?.account, position?.number, sequence, change, isUsed, wanted, known, isSignedOut])
    }

    @discardableResult
    static func update<T>(_ connection: any Connection, _ body: (inout KeyValueState) throws -> T) throws -> T {
        var state = try load(connection)
        let result = try body(&state)
        try state.save(connection)
        return result
    }

    /// Saves a value from the store, unless this device has the same value or
    /// an unsent write of the key.
    mutating func take(
        _ value: KeyValueInfo, because reason: KeyValueNews.Reason, _ connection: any Connection
    ) throws {
        let row = try KeyValueRow.load(connection, value.key)
        guard (row?.written ?? 0) == 0, row?.value != value.value else { return }
        change += 1
        try KeyValueRow(key: value.key, value: value.value, written: 0, change: change, reason: reason.rawValue)
            .save(connection)
    }
}

/// A row of the `key_value` table.
private struct KeyValueRow {
    var key: String
    var value: String?
    var written: Int64
    var change: Int64
    var reason: Int

    init(key: String, value: String?, written: Int64, change: Int64, reason: Int) {
        self.key = key
        self.value = value
        self.written = written
        self.change = change
        self.reason = reason
    }

    init(_ row: Row) throws {
        self.init(
            key: try row.get("key_name"), value: try row.get("value"), written: try row.get("written"),
            change: try row.get("change"), reason: try row.get("reason"))
    }

    static func load(_ connection: any Connection, _ key: String) throws -> KeyValueRow? {
        try connection.row("SELECT * FROM key_value WHERE key_name = $1", [key]).map { try KeyValueRow($0) }
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO key_value (key_name, value, written, change, reason) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (key_name) DO UPDATE SET value = $2, written = $3, change = $4, reason = $5
            """, [key, value, written, change, reason])
    }
}
