// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// The downloads of all apps of a device, read from their journals.
package struct DeviceDownloads: Sendable {
    /// A download that isn't closed: of a product's content that the store
    /// hosts, or of a file of the seller's own server.
    package struct Line: Codable, Sendable, Hashable {
        package var bundleIdentifier: String
        /// The product of hosted content; `nil` for a seller's file, as the
        /// next two are.
        package var productIdentifier: String?
        package var transactionIdentifier: String?
        package var version: String?
        /// The identifier that the app has given to the download of a seller's
        /// file; `nil` for hosted content. The address isn't listed, because
        /// it may contain a secret.
        package var file: String?
        /// Of hosted content: `offered`, `queued`, `active`, `paused`,
        /// `finished`, `failed` or `cancelled`. Of a seller's file: `running`,
        /// `finished` or `failed`.
        package var state: String
        /// The number of bytes that are on disk.
        package var received: Int64
        /// The number of bytes of the whole; `nil` until the seller's server
        /// has sent it.
        package var length: Int64?
        /// The reason of a failure.
        package var failure: String?
    }

    /// The downloads that were read, and the apps whose journals can't be read.
    package struct Listing: Sendable, Hashable {
        package var lines: [Line] = []
        /// A sentence for each of those apps, with the remedy.
        package var failures: [String] = []
    }

    private let folder: DaemonFolder

    /// The downloads of the device with this home.
    package init(home: URL) {
        folder = DaemonFolder(home: home)
    }

    /// Reads the downloads, in the order of apps, and of each app hosted
    /// content first. Journals aren't changed. One that can't be read, for
    /// example of another version, hides no other app's downloads.
    package func list() -> Listing {
        var listing = Listing()
        for bundle in PosixFiles().names(in: folder.apps).sorted() {
            do {
                listing.lines += try lines(of: bundle)
            } catch {
                listing.failures.append(
                    PrintableText.of(
                        """
                        The journal of \(bundle) can't be read (\(error)). Start the app once if the journal is of an \
                        older version, and use the app's version of this program if it is of a newer one.
                        """))
            }
        }
        return listing
    }

    private func lines(of bundle: String) throws -> [Line] {
        let journal = AgentFolder(home: folder.home, bundleIdentifier: bundle).journal
        guard PosixFiles().inode(of: journal) != nil else { return [] }
        return try PosixSystem().openJournal(journal).read { connection in
            let content = try Download.loadOpen(connection).map { Line($0, bundle) }
            let files = try BackgroundFile.load(connection, in: [.running, .finished, .failed])
            return content + files.map { Line($0, bundle) }
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
    fileprivate init(_ file: BackgroundFile, _ bundle: String) {
        self.init(
            bundleIdentifier: bundle, file: file.identifier, state: file.phase.rawValue, received: file.received,
            length: file.length, failure: file.failure?.message)
    }
}

extension DeviceDownloads.Line: CustomStringConvertible {
    /// The line for a terminal, with tabs between its parts. An app chooses
    /// the names, so that they are made printable.
    package var description: String {
        let name = productIdentifier ?? "file \(file ?? "")"
        let size = length.map { "\(received) of \($0) bytes" } ?? "\(received) bytes"
        return ([bundleIdentifier, name, state, size] + [failure].compactMap(\.self))
            .map { PrintableText.of($0) }.joined(separator: "\t")
    }
}
