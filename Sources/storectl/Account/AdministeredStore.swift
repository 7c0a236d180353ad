// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService

/// A store that an operator's command changes, whether it is running or not.
///
/// A running store makes the change itself, so that its devices are notified.
/// When none answers, the command opens the database.
struct AdministeredStore: ParsableArguments {
    @OptionGroup var control: RemoteControl

    @Option(
        help: ArgumentHelp("The database of a store that isn't running, as serve takes it.", valueName: "url"))
    var database: DatabaseArgument?

    func validate() throws {
        _ = try database?.location()
    }

    /// Sends a call to the running store, or makes the change in the database.
    ///
    /// - Throws: ``CommandFailure``, the errors of `change`.
    func call<Answer: Decodable>(
        _ verb: Control.Verb, _ call: some Encodable, orChange change: (StoreContext) async throws -> Answer
    ) async throws -> Answer {
        if let answer: Answer = try await control.callIfRunning(verb, call) { return answer }
        let location = try database?.location() ?? control.directory().databaseLocation
        // A running store holds the lock: the change would not reach its
        // devices.
        let lock = try location.lock()
        defer { withExtendedLifetime(lock) {} }
        let database = try location.open()
        let context = try await Store.open(
            StoreConfiguration(
                database: database, clock: SystemDependencies.clock, random: SystemDependencies.random))
        let answer = try await change(context)
        try database.close()
        return answer
    }
}
