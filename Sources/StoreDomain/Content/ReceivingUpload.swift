// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Receives the next part of an upload, or ends the upload.
package struct ReceivingUpload: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Makes the part that begins at `offset` durable, and returns the upload
    /// with its new number of bytes.
    ///
    /// The row is changed after the bytes are durable, and only if no other
    /// process has changed it since: two processes that send the same upload
    /// don't count a part twice.
    ///
    /// - Throws: ``DomainError``: `notFound` for an upload that has ended, also
    ///   for one that ends now because the storage has lost earlier parts;
    ///   `otherOffset` for a part that isn't the next one, `invalid` for a part
    ///   of another size; ``ContentStorageError``.
    package func callAsFunction(
        _ part: Data, of identifier: UploadIdentifier, at offset: Int64
    ) async throws -> ContentUpload {
        let storage = try context.requireHosting().storage
        let before = try await find(identifier)
        guard offset == before.received else {
            throw DomainError(.otherOffset, "The next part of this upload begins at \(before.received).")
        }
        let expected = min(Int64(storage.partBytes), before.bytes - offset)
        guard part.count == expected, expected > 0 else {
            throw DomainError(.invalid, "The part at \(offset) has \(expected) bytes, not \(part.count).")
        }
        var after = before
        faults("content-part:before")
        do {
            after.storageState = try await storage.append(part, to: before, at: offset)
        } catch let error as ContentStorageError where error.code == .missing {
            // The storage has lost earlier parts: only a new upload helps.
            guard try await find(identifier).received == before.received else { throw Self.unknown }
            try await abandon(identifier)
            throw Self.unknown
        }
        faults("content-part:after")
        after.received += expected
        let counted = after
        return try await write(.key(identifier.rawValue)) { db in
            var counted = counted
            counted.touched = db.now
            try counted.saveReceived(after: before, db)
            return try Self.require(ContentUpload.find(identifier, db))
        }
    }

    /// The upload with an identifier.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    func find(_ identifier: UploadIdentifier) async throws -> ContentUpload {
        try await read { db in try Self.require(ContentUpload.find(identifier, db)) }
    }

    static func require(_ upload: ContentUpload?) throws -> ContentUpload {
        guard let upload else { throw unknown }
        return upload
    }

    /// The error for an upload that has ended.
    package static let unknown = DomainError(
        .notFound, "There is no such upload: it was published, refused or abandoned.")

    /// Ends an upload, and removes its bytes. An upload that has ended stays
    /// as it is.
    package func abandon(_ identifier: UploadIdentifier) async throws {
        let storage = try context.requireHosting().storage
        let upload = try await write(.key(identifier.rawValue)) { db in
            let upload = try ContentUpload.find(identifier, db)
            try ContentUpload.delete(identifier, db)
            return upload
        }
        if let upload { try await storage.abandon(upload) }
    }
}
