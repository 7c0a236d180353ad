// SPDX-License-Identifier: Apache-2.0

internal import StoreDatabase

extension Journal {
    /// Makes a process known, and forgets dead ones with what they waited for.
    ///
    /// - Returns: the number of the last entry before the process began.
    func enter(_ process: String, isAlive: (String) -> Bool) throws -> Int64 {
        let known: [String] = try database.read { connection in
            try connection.rows("SELECT identifier FROM process").map { try $0.get("identifier") }
        }
        let dead = known.filter { !isAlive($0) }
        return try database.write { connection in
            for process in dead {
                try Self.leave(connection, process)
            }
            let since = try JournalState.load(connection).sequence
            try connection.run(
                "INSERT INTO process (identifier, since, observes) VALUES ($1, $2, 0)", [process, since])
            return since
        }
    }

    /// Writes down that a process has observers from now on.
    func observe(_ process: String) throws {
        try database.write { connection in
            try connection.run("UPDATE process SET observes = 1 WHERE identifier = $1", [process])
        }
    }

    /// Writes down that a process has no observers any more, and lets go of
    /// what it shows.
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
        try connection.run("DELETE FROM errand WHERE process = $1", [process])
        try connection.run("DELETE FROM process WHERE identifier = $1", [process])
    }

    /// The processes that have said that they observe, living or not.
    static func observers(_ connection: any Connection) throws -> [String] {
        try connection.rows("SELECT identifier FROM process WHERE observes = 1").map { try $0.get("identifier") }
    }
}
