// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Begins the upload of a packed content, or finds the one to be continued.
package struct BeginningUpload: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The content that a client wants to upload.
    package struct Wanted: Sendable {
        package var bundleIdentifier: BundleIdentifier
        package var productIdentifier: ProductIdentifier
        package var version: String
        /// The bytes of the packed object.
        package var bytes: Int64
        /// The SHA-256 of the packed object in lower-case hexadecimal.
        package var checksum: String

        package init(
            bundleIdentifier: BundleIdentifier, productIdentifier: ProductIdentifier, version: String, bytes: Int64,
            checksum: String
        ) {
            self.bundleIdentifier = bundleIdentifier
            self.productIdentifier = productIdentifier
            self.version = version
            self.bytes = bytes
            self.checksum = checksum
        }
    }

    /// The answer to a client.
    package enum Begun: Hashable, Sendable {
        /// The client sends the bytes after `received`.
        case upload(ContentUpload)
        /// The same bytes are published as this version already.
        case published(HostedContent)
    }

    /// Begins an upload. A client that has lost its connection, or another
    /// one with the same bytes, gets the upload that was begun before.
    ///
    /// - Throws: ``DomainError``: `notFound` for an unknown product, `exists`
    ///   for a version with other bytes, `quotaExceeded`, `invalid` for a
    ///   malformed checksum, `storageUnavailable`.
    package func callAsFunction(_ wanted: Wanted) async throws -> Begun {
        let hosting = try context.requireHosting()
        guard wanted.checksum.isHexadecimal(bytes: 32), wanted.bytes > 0 else {
            throw DomainError(.invalid, "A checksum is a SHA-256 in lower-case hexadecimal.")
        }
        let identifier = UploadIdentifier(random.hexadecimal(bytes: 16))
        return try await write(.all) { db in
            _ = try Catalogue.known(wanted.productIdentifier, of: wanted.bundleIdentifier, db)
            if let published = try Self.published(wanted, db) { return .published(published) }
            let running = try ContentUpload.find(
                version: wanted.version, checksum: wanted.checksum, of: wanted.productIdentifier,
                in: wanted.bundleIdentifier, db)
            if let running, running.bytes == wanted.bytes { return .upload(running) }
            guard running == nil else {
                throw DomainError(.invalid, "The same checksum was named with another number of bytes.")
            }
            try Self.requireRoom(for: wanted.bytes, of: wanted.bundleIdentifier, in: hosting.quota, db)
            let upload = ContentUpload(
                identifier: identifier, bundleIdentifier: wanted.bundleIdentifier,
                productIdentifier: wanted.productIdentifier, version: wanted.version, bytes: wanted.bytes,
                checksum: wanted.checksum, touched: db.now)
            try upload.insert(db)
            return .upload(upload)
        }
    }

    /// The published version with the same bytes; `nil` when the version is
    /// new.
    private static func published(_ wanted: Wanted, _ db: StoreTransaction) throws -> HostedContent? {
        guard
            let content = try HostedContent.find(
                version: wanted.version, of: wanted.productIdentifier, in: wanted.bundleIdentifier, db)
        else { return nil }
        guard content.checksum == wanted.checksum else { throw otherBytes(content) }
        return content
    }

    static func otherBytes(_ content: HostedContent) -> DomainError {
        DomainError(
            .exists,
            """
            Version \(content.version) of \(content.productIdentifier) is published with other bytes: give the new \
            content another ContentVersion, or remove that version first.
            """)
    }

    /// - Throws: ``DomainError`` `quotaExceeded`.
    static func requireRoom(
        for bytes: Int64, of bundle: BundleIdentifier, in quota: Int64, _ db: StoreTransaction
    ) throws {
        if let team = try AppRegistration.team(of: bundle, db), team != Team.ofTheStore {
            let (product, isTooLarge) = quota.multipliedReportingOverflow(by: ContentHosting.appsOfATeam)
            let (used, quota) = (try HostedContent.bytes(of: team, db), isTooLarge ? .max : product)
            guard used + bytes <= quota else {
                throw DomainError(
                    .quotaExceeded,
                    """
                    The content of the team's apps has \(used) bytes with its uploads, and may have \(quota): there is no \
                    room for \(bytes) more. Remove a version first.
                    """)
            }
        }
        let used = try HostedContent.bytes(of: bundle, db)
        guard used + bytes <= quota else {
            throw DomainError(
                .quotaExceeded,
                """
                The content of \(bundle) has \(used) bytes with its uploads, and may have \(quota): \
                there is no room for \(bytes) more. Remove a version, or start the store with a larger \
                --content-quota.
                """)
        }
    }
}
