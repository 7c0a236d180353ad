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
    /// releases the entries that it holds.
    func stopObserving(_ process: String) throws {
        try database.write { connection in
            try connection.run("UPDATE process SET observes = 0 WHERE identifier = $1", [process])
            try connection.run("UPDATE entry SET holder = NULL WHERE holder = $1", [process])
        }
    }

    func leave(_ process: String) throws {
        try database.write { connection in try Self.leave(connection, process) }
    }

    private static func leave(_ connection: any Connection, _ process: String) throws {
        try AppRequest.delete(of: process, connection)
        try connection.run("DELETE FROM process WHERE identifier = $1", [process])
    }

    /// The processes that are recorded as observers, living or not.
    static func observers(_ connection: any Connection) throws -> [String] {
        try connection.rows("SELECT identifier FROM process WHERE observes = 1").map { try $0.get("identifier") }
    }
}
