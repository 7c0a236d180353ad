// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The values that an operator's metrics are read from.
extension StoreService {
    /// The number of open event streams.
    package var openStreams: Int { hub.streams }
    /// The number of apps in the open event streams of this process. An app
    /// counts for each device and each stream.
    package var streamedApps: Int { hub.apps }

    /// The use of the store's resources now. It doesn't use the database.
    package var load: StoreLoad { context.load }

    /// Reads how much work is due, and the leases on it.
    ///
    /// - Throws: An error of the database.
    package func dueWork() async throws -> ReadingBacklogs.DueWork {
        try await ReadingBacklogs(context)()
    }
}
