// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService

/// A store that an operator's command changes, whether it is running or not.
///
/// A running store makes the change itself, so that its devices are notified.
/// It holds the lock of its database: a command that gets the lock opens the
/// database, and sends nothing, because another program may listen at the
/// store's address by now. With `--store` a command asks that store only, with
/// `--database` it opens that database only.
struct AdministeredStore: ParsableArguments {
    @OptionGroup var control: RemoteControl

    @Option(
        help: ArgumentHelp("The database of a store that isn't running, as serve takes it.", valueName: "url"))
    var database: DatabaseArgument?

    func validate() throws {
        _ = try database?.location()
        if database != nil, control.store != nil {
            throw ValidationError("--store and --database exclude one another.")
        }
    }

    /// The number of attempts to lock the database, and the pause between
    /// them.
    private static let lockAttempts = 50
    private static let lockPause: Duration = .milliseconds(100)

    /// Sends a call to the running store, or makes the change in the database.
    ///
    /// - Throws: ``CommandFailure``, the errors of `change`.
    func call<Answer: Decodable>(
        _ verb: Control.Verb, _ call: some Encodable, orChange change: (StoreContext) async throws -> Answer
    ) async throws -> Answer {
        try await send(ControlRequest(verb, call), orChange: change)
    }

    /// Sends a request to the running store, or makes the change in the
    /// database.
    ///
    /// - Throws: ``CommandFailure``, the errors of `change`.
    func send<Answer: Decodable>(
        _ request: ControlRequest, orChange change: (StoreContext) async throws -> Answer
    ) async throws -> Answer {
        if control.store != nil { return try await control.send(request) }
        let location = try location()
        var attempts = 0
        while true {
            do {
                let lock = try location.lock()
                defer { withExtendedLifetime(lock) {} }
                return try await make(change, in: location)
            } catch let taken as StoreLock.Taken {
                if database == nil, let answer: Answer = try await control.sendIfRunning(request) { return answer }
                // Another command holds it for a moment, or a store starts.
                attempts += 1
                guard attempts < Self.lockAttempts else { throw taken }
                try await Task.sleep(for: Self.lockPause)
            }
        }
    }

    /// The database to change.
    ///
    /// - Throws: ``CommandFailure`` when the folder's store was served on
    ///   another database: the change would be made in one that no store has.
    private func location() throws -> DatabaseLocation {
        if let database { return try database.location() }
        let directory = try control.directory()
        guard !directory.hasOtherDatabase else {
            throw CommandFailure(
                """
                The store of \(directory.url.path) was served on another database than the folder's: name the \
                running store with --store URL, or its database with --database URL.
                """)
        }
        return directory.databaseLocation
    }

    private func make<Answer>(
        _ change: (StoreContext) async throws -> Answer, in location: DatabaseLocation
    ) async throws -> Answer {
        let database = try location.open()
        let context = try await Store.open(
            StoreConfiguration(
                database: database, clock: SystemDependencies.clock, random: SystemDependencies.random))
        let answer = try await change(context)
        try database.close()
        return answer
    }
}
