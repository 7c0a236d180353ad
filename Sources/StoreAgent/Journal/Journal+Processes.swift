// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Journal {
    /// Adds a process, and deletes dead ones together with the app requests
    /// that don't outlive them. The first living process forgets the price
    /// increases, which its event stream brings anew.
    ///
    /// - Returns: the last sequence number that was used before the process
    ///   began.
    func enter(_ process: String, isAlive: (String) -> Bool) throws -> Int64 {
        let known: [String] = try database.read { connection in
            try connection.rows("SELECT identifier FROM process").map { try $0.get("identifier") }
        }
        let dead = known.filter { !isAlive($0) }
        return try database.write { connection in
            for process in dead {
                try Self.leave(connection, process)
            }
            let since = try JournalState.update(connection) { state in
                if dead.count == known.count { state.priceIncreases = nil }
                return state.sequence
            }
            try connection.run(
                "INSERT INTO process (identifier, since, observes) VALUES ($1, $2, 0)", [process, since])
            return since
        }
    }

    /// Records that a process observes the queue from now on.
    func observe(_ process: String) throws {
        try database.write { connection in
            try connection.run("UPDATE process SET observes = 1 WHERE identifier = $1", [process])
        }
    }

    /// Records that a process doesn't observe the queue any more, and
    /// releases the entries that it holds, except those of transactions that
    /// its purchases have returned.
    ///
    /// - Returns: the transactions that the process keeps.
    @discardableResult
    func stopObserving(_ process: String, keeping returned: Set<String> = []) throws -> Set<String> {
        try database.write { connection in
            try connection.run("UPDATE entry SET holder = NULL WHERE holder = $1", [process])
            let kept = try returned.filter { transaction in
                guard let entry = try JournalEntry.load(connection, transaction: transaction), entry.holder == nil,
                    entry.isInQueue
                else { return false }
                try JournalEntry.hold(connection, entry.identifier, by: process)
                return true
            }
            try connection.run(
                "UPDATE process SET observes = $2 WHERE identifier = $1", [process, kept.isEmpty ? 0 : Self.keeps])
            return kept
        }
    }

    func leave(_ process: String) throws {
        try database.write { connection in try Self.leave(connection, process) }
    }

    private static func leave(_ connection: any Connection, _ process: String) throws {
        try AppRequest.delete(of: process, connection)
        try connection.run("DELETE FROM process WHERE identifier = $1", [process])
    }

    /// The value of `observes` for a process that observes no more and keeps
    /// entries. An earlier version of StoreKit reads it as no observer.
    private static let keeps = 2

    /// The processes that are recorded for the queue, living or not.
    static func processes(_ connection: any Connection) throws -> QueueProcesses {
        let keepers = try connection.rows("SELECT identifier FROM process WHERE observes = $1", [keeps])
        return QueueProcesses(
            observers: try observers(connection), keepers: try keepers.map { try $0.get("identifier") })
    }

    /// The processes that are recorded as observers, living or not.
    static func observers(_ connection: any Connection) throws -> [String] {
        try connection.rows("SELECT identifier FROM process WHERE observes = 1").map { try $0.get("identifier") }
    }
}
