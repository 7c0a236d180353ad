// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A kind of work that the synchronizer does in the background.
///
/// The journal is the only record of the work: a piece that a process didn't
/// complete is read from it again, by this process or a later one. A new kind
/// is a type in a file of its own, and an element of
/// ``StoreSynchronizer/kinds``.
protocol BackgroundWork: Sendable {
    /// The kind's name, which no other kind has.
    static var name: String { get }

    /// Reads the pieces that aren't completed, including those that wait for
    /// a notification of the store. All kinds read in one transaction.
    ///
    /// - Throws: `DatabaseError`.
    func pieces(_ connection: any Connection) throws -> [WorkPiece]

    /// Performs a piece, by its name, until it is completed or waits for a
    /// notification.
    ///
    /// - Throws: `CancellationError`, `DatabaseError`. The piece is performed
    ///   again after an error of the journal.
    func perform(_ name: String) async throws
}

/// A piece of background work, for example one payment. Each runs at most
/// once at a time.
struct WorkPiece: Sendable {
    struct ID: Sendable, Hashable {
        /// The name of the ``BackgroundWork``.
        let kind: String
        let name: String
    }

    let work: any BackgroundWork
    /// Identifies the piece among those of its kind, if that has several. A
    /// piece that sends a request has the request's identifier as its name.
    var name = ""
    /// Whether the piece is performed only after the store has sent a
    /// notification about the request.
    var isWaiting = false
    /// The process that waits for the result. The piece isn't performed any
    /// more after that process has ended. `nil`: it doesn't depend on one.
    var process: String?
    /// Whether the running piece of the same identifier has to stop first,
    /// because its state in the journal has changed.
    var stopsRunning = false

    var id: ID { ID(kind: type(of: work).name, name: name) }
}
