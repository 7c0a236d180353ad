// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// The downloads of all apps of a device, read from their journals.
package struct DeviceDownloads: Sendable {
    /// A download that isn't closed.
    package struct Line: Codable, Sendable, Hashable {
        package var bundleIdentifier: String
        package var productIdentifier: String
        package var transactionIdentifier: String
        package var version: String
        /// `offered`, `queued`, `active`, `paused`, `finished`, `failed` or
        /// `cancelled`.
        package var state: String
        package var received: Int64
        package var length: Int64
        /// The reason of a failure.
        package var failure: String?
    }

    private let folder: DaemonFolder

    /// The downloads of the device with this home.
    package init(home: URL) {
        folder = DaemonFolder(home: home)
    }

    /// Reads the downloads, in the order of apps and transactions. Journals
    /// aren't changed.
    ///
    /// - Throws: `DatabaseError` for a journal that can't be read, for example
    ///   of another version.
    package func list() throws -> [Line] {
        try PosixFiles().names(in: folder.apps).sorted().flatMap { bundle in
            let journal = AgentFolder(home: folder.home, bundleIdentifier: bundle).journal
            guard PosixFiles().inode(of: journal) != nil else { return [Line]() }
            let database = try PosixSystem().openJournal(journal)
            let downloads = try database.read { connection in
                try Download.loadOpen(connection)
            }
            return downloads.map { Line($0, bundle) }
        }
    }
}

extension DeviceDownloads.Line {
    fileprivate init(_ download: Download, _ bundle: String) {
        self.init(
            bundleIdentifier: bundle, productIdentifier: download.product,
            transactionIdentifier: download.transaction, version: download.version, state: download.phase.rawValue,
            received: download.received, length: download.length, failure: download.failure?.message)
    }
}
