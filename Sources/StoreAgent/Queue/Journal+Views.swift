// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

extension Journal {
    /// What a process delivers from.
    struct View: Sendable {
        /// Every entry that an app may see, oldest first.
        var entries: [QueueEntry]
        /// The errands of the process.
        var errands: [Errand]
        /// The processes that have said that they observe, living or not.
        var observers: [String]
        /// What the customer has no right to any more, and the app has to be
        /// told of.
        var revocations: [Revocation]
        var storefront: StorefrontInfo?
    }

    /// What the talker has to do.
    struct Workload: Sendable {
        var entries: [QueueEntry]
        var errands: [Errand]
        var needsReceipt: Bool
    }

    func view(for process: String) throws -> View {
        try database.read { connection in
            let phases: [QueueEntry.Phase] = [.added, .sending, .waiting, .deferred, .arrived, .ready, .failed]
            let state = try JournalState.load(connection)
            return View(
                entries: try QueueEntry.load(connection, in: phases),
                errands: try Errand.load(connection).filter { $0.process == process },
                observers: try Self.observers(connection),
                revocations: try Revocation.load(connection, knownTo: state.receipt), storefront: state.storefront)
        }
    }

    func workload() async throws -> Workload {
        try await database.read { connection in
            let phases: [QueueEntry.Phase] = [.added, .sending, .waiting, .deferred, .finished]
            return Workload(
                entries: try QueueEntry.load(connection, in: phases), errands: try Errand.load(connection),
                needsReceipt: try JournalState.load(connection).needsReceipt)
        }
    }

    /// Forgets revocations that the app was told of.
    func forget(_ revocations: [Revocation]) throws {
        try database.write { connection in
            for revocation in revocations { try revocation.delete(connection) }
        }
    }

    /// Takes entries for a process before it shows them, in one write, so
    /// that no two processes show the same. Who observes is read in the same
    /// write: whoever isn't known to be dead may have begun meanwhile.
    func take(_ identifiers: [String], for process: String, dead: Set<String>) throws -> [QueueEntry] {
        try database.write { connection in
            let observers = Set(try Self.observers(connection)).subtracting(dead)
            guard observers.contains(process) else { return [] }
            let claim = Claim(process: process, observers: observers)
            return try identifiers.compactMap { identifier in
                guard var entry = try QueueEntry.load(connection, identifier), claim.mayTake(entry) else { return nil }
                entry.holder = claim.process
                try entry.save(connection)
                return entry
            }
        }
    }
}
