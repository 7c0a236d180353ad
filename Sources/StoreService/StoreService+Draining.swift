// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreAPI
import StoreDomain
import Synchronization

/// Whether a newer version has changed the schema. It stays so until the
/// process ends.
final class Supersession: Sendable {
    private let state = Atomic(false)

    var isReached: Bool { state.load(ordering: .relaxed) }

    /// Returns whether this is the first call.
    func begin() -> Bool { !state.exchange(true, ordering: .relaxed) }
}

/// The end of a process' work after a newer version has changed the schema:
/// it takes no new work, ends its event streams, and completes the payments
/// that are under way. The newer version waits for nothing of that.
extension StoreService {
    /// Whether a newer version has changed the schema.
    package var isSuperseded: Bool { supersession.isReached }

    /// Reads whether a newer version has changed the schema.
    package func checkSchema() async {
        guard !isSuperseded else { return }
        do {
            guard try await CheckingSchema(context)(), supersession.begin() else { return }
            logger.notice("a newer version has changed the database's schema: this process takes no new work")
            // The devices open new streams, which another process accepts.
            hub.close()
        } catch {
            _ = failure(of: error, at: "reading the schema's version")
        }
    }

    /// Refuses new work after a newer version has changed the schema.
    ///
    /// - Throws: `StoreFailure` `unavailable`, a code that agents of all
    ///   versions repeat.
    func requireCurrentSchema() throws {
        guard isSuperseded else { return }
        throw StoreFailure(
            .unavailable, "This process of the store is being replaced by a newer version: try again in a moment.",
            retryAfter: Self.drainingPause)
    }

    /// The seconds after which to try again, at another process.
    static let drainingPause = 2
}
