// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The reports of this process to the other processes of the store.
extension StoreService {
    /// A new random identifier of this process.
    package func newNodeIdentifier() -> String {
        context.random.hexadecimal(bytes: 8)
    }

    /// Records that this process serves the store. The write fails when the
    /// database can't be written.
    ///
    /// - Returns: The number of other processes that serve it.
    /// - Throws: `DatabaseError`.
    package func reportNode(_ identifier: String) async throws -> Int {
        try await ReportingNode(context)(identifier)
    }

    /// Deletes the report of this process when it stops.
    ///
    /// - Throws: `DatabaseError`.
    package func endNode(_ identifier: String) async throws {
        try await ReportingNode(context).end(identifier)
    }
}
