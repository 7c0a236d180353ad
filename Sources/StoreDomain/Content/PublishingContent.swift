// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Checks a complete upload, and publishes it as the newest version of its
/// product.
///
/// The object is durable before the row that names it is committed. A process
/// that ends in between leaves the upload's row, and publishing again goes on.
package struct PublishingContent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The facts that a check has read out of the packed bytes.
    package struct Checked: Hashable, Sendable {
        /// The product that the package names.
        package var product: String
        /// The version that the package names.
        package var version: String
        /// The number and the bytes of the files in the package.
        package var files: HostedContent.Files
        /// The number of all bytes of the packed content.
        package var bytes: Int64
        /// The SHA-256 of these bytes in lower-case hexadecimal.
        package var checksum: String

        package init(
            product: String, version: String, files: HostedContent.Files, bytes: Int64, checksum: String
        ) {
            self.product = product
            self.version = version
            self.files = files
            self.bytes = bytes
            self.checksum = checksum
        }
    }

    /// Publishes an upload. An upload that the check or `record` refuses is
    /// removed. `record` runs in the transaction that makes the version the
    /// newest one.
    ///
    /// - Throws: ``DomainError``: `notFound` for an upload that has ended,
    ///   `otherOffset` for one that lacks bytes, `invalid` for one whose bytes
    ///   aren't as announced, `exists` for a version that was published with
    ///   other bytes meanwhile; the errors of `check` and `record`.
    package func callAsFunction(
        _ identifier: UploadIdentifier, check: (any ContentReader) async throws -> Checked,
        record: @escaping @Sendable (HostedContent, StoreTransaction) throws -> Void = { _, _ in }
    ) async throws -> HostedContent {
        let storage = try context.requireHosting().storage
        let upload = try await ReceivingUpload(context).find(identifier)
        guard upload.isComplete else {
            throw DomainError(.otherOffset, "The next part of this upload begins at \(upload.received).")
        }
        let checked = try await self.checked(upload, in: storage, check)
        faults("content-complete:before")
        try await storage.complete(upload)
        faults("content-complete:after")
        do {
            return try await save(upload, checked, in: storage, record)
        } catch let error as DomainError where Self.ends(error) {
            try await remove(upload, from: storage)
            throw error
        }
    }

    /// Whether an error of the last transaction comes back when the same user
    /// publishes the upload again.
    private static func ends(_ error: DomainError) -> Bool { [.exists, .forbidden, .notFound].contains(error.code) }

    /// Removes a complete upload that isn't published, so that its bytes don't
    /// count for the quota.
    ///
    /// An upload without a row is published, or another call or the sweep
    /// removes its bytes. A user who sends the same package at the same time
    /// begins another upload.
    private func remove(_ upload: ContentUpload, from storage: any ContentStorage) async throws {
        let isRemoved = try await write(.key(upload.identifier.rawValue)) { db in
            try ContentUpload.delete(upload.identifier, db)
        }
        guard isRemoved else { return }
        try await storage.abandon(upload)
        try await storage.remove(upload.object)
    }

    private func checked(
        _ upload: ContentUpload, in storage: any ContentStorage, _ check: (any ContentReader) async throws -> Checked
    ) async throws -> Checked {
        do {
            let checked = try await check(storage.read(upload))
            try Self.compare(checked, with: upload)
            return checked
        } catch let error as ContentStorageError where error.code != .missing {
            // The bytes may be as they should be.
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try await ReceivingUpload(context).abandon(upload.identifier)
            context.meters.count(.refused)
            throw error
        }
    }

    /// - Throws: ``DomainError`` `invalid`.
    private static func compare(_ checked: Checked, with upload: ContentUpload) throws {
        guard checked.bytes == upload.bytes, checked.checksum == upload.checksum else {
            throw DomainError(.invalid, "The bytes of the upload have another checksum than was announced.")
        }
        guard checked.product == upload.productIdentifier.rawValue else {
            throw DomainError(
                .invalid, "ContentInfo.plist names the product \(checked.product), not \(upload.productIdentifier).")
        }
        guard checked.version == upload.version else {
            throw DomainError(
                .invalid, "ContentInfo.plist names the version \(checked.version), not \(upload.version).")
        }
    }

    /// Commits the row. If another version has the same bytes, the row names
    /// its object, and the upload's own is removed.
    private func save(
        _ upload: ContentUpload, _ checked: Checked, in storage: any ContentStorage,
        _ record: @escaping @Sendable (HostedContent, StoreTransaction) throws -> Void
    ) async throws -> HostedContent {
        let identifier = ContentIdentifier(random.hexadecimal(bytes: 16))
        let content = try await write(.all) { db -> HostedContent in
            if let published = try HostedContent.find(
                version: upload.version, of: upload.productIdentifier, in: upload.bundleIdentifier, db)
            {
                guard published.checksum == upload.checksum else { throw BeginningUpload.otherBytes(published) }
                try ContentUpload.delete(upload.identifier, db)
                return published
            }
            guard try ContentUpload.delete(upload.identifier, db) else {
                throw DomainError(.notFound, "The upload was abandoned.")
            }
            let content = HostedContent(
                identifier: identifier, bundleIdentifier: upload.bundleIdentifier,
                productIdentifier: upload.productIdentifier, version: upload.version, isNewest: true,
                object: try HostedContent.object(checksum: upload.checksum, db) ?? upload.object, bytes: upload.bytes,
                checksum: upload.checksum, files: checked.files, published: db.now)
            try content.insertAsNewest(db)
            try record(content, db)
            return content
        }
        faults("content-publish:after")
        context.meters.count(.published)
        if content.object != upload.object { try? await storage.remove(upload.object) }
        return content
    }
}
