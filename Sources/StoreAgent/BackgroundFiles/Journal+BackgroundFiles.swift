// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Journal {
    /// Saves a download, or continues the one of the same request that has
    /// failed. `isLost` returns whether a finished download's file is gone: it
    /// begins anew.
    ///
    /// - Throws: ``BackgroundFileFailure`` with the reasons `identifierInUse`
    ///   and `tooMany`, `DatabaseError`.
    func start(
        _ request: BackgroundFileRequest, now: Int64, isLost: @escaping @Sendable (BackgroundFile) -> Bool
    ) throws -> BackgroundFile {
        let result: Result<BackgroundFile, BackgroundFileFailure> = try database.write { connection in
            if var known = try BackgroundFile.load(connection, identifier: request.identifier) {
                guard known.address == request.address, known.fields == request.fields else {
                    return .failure(.identifierInUse)
                }
                let isAnew = isLost(known)
                guard known.phase == .failed || isAnew else { return .success(known) }
                if isAnew { (known.received, known.length, known.tag) = (0, nil, nil) }
                (known.phase, known.failure, known.deadline) = (.running, nil, now + request.timeLimit)
                try known.save(connection)
                return .success(known)
            }
            let count = try BackgroundFile.load(connection, in: [.running, .finished, .failed]).count
            guard count < BackgroundFile.limit else { return .failure(.tooMany) }
            let new = BackgroundFile(
                sequence: try JournalState.nextSequence(connection), identifier: request.identifier,
                address: request.address, fields: request.fields, deadline: now + request.timeLimit)
            try new.save(connection)
            return .success(new)
        }
        return try result.get()
    }

    /// The downloads that aren't ended.
    func backgroundFiles() throws -> [BackgroundFile] {
        try database.read { connection in try BackgroundFile.load(connection, in: [.running, .finished, .failed]) }
    }

    /// The downloads that have changed after a change, and the number of the
    /// last change.
    func backgroundFiles(after change: Int64) throws -> ([BackgroundFile], Int64) {
        try database.read { connection in
            let rows = try connection.rows(
                "SELECT * FROM background_download WHERE change > $1 ORDER BY change", [change])
            let last: Int64? = try rows.last?.get("change")
            return (try rows.map { try BackgroundFile($0) }.filter { $0.phase != .ended }, last ?? change)
        }
    }

    /// Saves that the app has ended a download; its files are removed next.
    func endBackgroundFile(_ identifier: String, ifFinished: Bool) throws {
        try database.write { connection in
            guard var file = try BackgroundFile.load(connection, identifier: identifier),
                file.phase == .finished || !ifFinished
            else { return }
            file.phase = .ended
            try file.save(connection)
        }
    }

    func backgroundFile(_ sequence: Int64) async throws -> BackgroundFile? {
        try await database.read { connection in try BackgroundFile.load(connection, sequence) }
    }

    /// Changes a download that runs.
    ///
    /// - Returns: whether it runs.
    @discardableResult
    func update(
        backgroundFile sequence: Int64, _ change: @escaping @Sendable (inout BackgroundFile) -> Void
    ) async throws -> Bool {
        try await database.write { connection in
            guard var file = try BackgroundFile.load(connection, sequence), file.phase == .running else { return false }
            change(&file)
            try file.save(connection)
            return true
        }
    }

    /// Deletes a download whose files were removed.
    func removedBackgroundFile(_ sequence: Int64) async throws {
        try await database.write { connection in
            try connection.run("DELETE FROM background_download WHERE sequence = $1", [sequence])
        }
    }
}

extension BackgroundFileFailure {
    fileprivate static let identifierInUse = BackgroundFileFailure(
        .identifierInUse, "The identifier is of a download of another request. Choose another, or cancel that one.")
    fileprivate static let tooMany = BackgroundFileFailure(
        .tooMany, "The app has \(BackgroundFile.limit) downloads. Acknowledge or cancel some of them.")
}
