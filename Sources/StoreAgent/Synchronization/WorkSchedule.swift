// SPDX-License-Identifier: Apache-2.0

/// Chooses the pieces of background work to start.
struct WorkSchedule: Sendable {
    private var running: Set<WorkPiece.ID> = []
    /// The requests that the store has sent a notification about and that no
    /// piece has repeated since.
    private var notified: Set<String> = []

    /// Records the pieces that have ended, and the requests that the store
    /// has sent a notification about.
    mutating func record(ended: [WorkPiece.ID], notified: Set<String>) {
        running.subtract(ended)
        self.notified.formUnion(notified)
    }

    /// Chooses the pieces to start now, in the given order. They run until
    /// their end is recorded.
    ///
    /// - Parameters:
    ///   - pieces: all pieces that aren't completed.
    ///   - repeatsAll: whether each request has to be repeated, because
    ///     notifications may have been lost.
    /// - Returns: the pieces that aren't running, without those that wait for
    ///   a notification.
    mutating func start(_ pieces: [WorkPiece], repeatsAll: Bool) -> [WorkPiece] {
        let open = Set(pieces.map(\.name))
        if repeatsAll { notified.formUnion(open) }
        let due = pieces.filter { !running.contains($0.id) && (!$0.isWaiting || notified.contains($0.name)) }
        for piece in due {
            running.insert(piece.id)
            notified.remove(piece.name)
        }
        // Requests that are no longer open need no repeat.
        notified.formIntersection(open)
        return due
    }
}
