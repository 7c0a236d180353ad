// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Keeps the packed content of a store: a folder or a bucket.
///
/// An upload is a growing sequence of bytes, which is never served.
/// ``complete(_:)`` makes it an object, which never changes. The rows of the
/// database decide which uploads and objects there are. A process that ends
/// between a change of the storage and that of its row leaves bytes that no
/// row names, which ``SweepingUploads`` removes.
///
/// Each method may be repeated after a failure. They throw
/// ``ContentStorageError``.
package protocol ContentStorage: Sendable {
    /// The bytes of each part of an upload but the last.
    var partBytes: Int { get }

    /// Makes a part of an upload durable, and returns the storage's new text
    /// about the upload. The part begins at `offset`, up to which all bytes
    /// are durable; the storage may have an earlier try of the part.
    func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String

    /// The bytes of an upload that has all parts, or of the object that
    /// ``complete(_:)`` has made of it.
    func read(_ upload: ContentUpload) async throws -> any ContentReader

    /// Makes an object of an upload that has all parts.
    func complete(_ upload: ContentUpload) async throws

    /// Removes the bytes of an upload, if there are any.
    func abandon(_ upload: ContentUpload) async throws

    /// Some of an object's bytes.
    func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader

    /// Removes an object, if there is one.
    func remove(_ object: ContentObjectName) async throws

    /// An address from which anyone can download an object until a moment;
    /// `nil` if the storage has none.
    func address(of object: ContentObjectName, until expires: WallTime) async throws -> String?

    /// All objects and uploads that the storage has bytes of, in pages, after
    /// the last one of the page before; empty at the end.
    func list(after last: StoredContent?) async throws -> [StoredContent]

    /// Removes the bytes of an upload that has no row, if there are any.
    func abandon(_ upload: UploadIdentifier) async throws
}

/// The name of bytes in a storage.
package enum StoredContent: Hashable, Sendable {
    case object(ContentObjectName)
    case upload(UploadIdentifier)
}

/// Some bytes of a storage, which are read one part after another.
package protocol ContentReader: Sendable {
    /// The next bytes, `nil` at the end: at most 128 KiB of a folder, and 64
    /// KiB of a bucket. It is called by one task at a time.
    ///
    /// - Throws: ``ContentStorageError``, also when the storage has fewer
    ///   bytes than were asked for.
    func next() async throws -> Data?
}

/// The error of a storage. The message is for the operator's log: it may name
/// files and addresses.
///
/// Two errors are equal when their codes are.
package struct ContentStorageError: Error, Sendable {
    /// The reason.
    package enum Code: Sendable, Hashable {
        /// There is no room for more bytes.
        case full
        /// The storage doesn't have bytes that a row names.
        case missing
        /// The storage can't be used now. The call may be repeated later.
        case unavailable
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ContentStorageError: Hashable {
    package static func == (left: ContentStorageError, right: ContentStorageError) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ContentStorageError: CustomStringConvertible {
    package var description: String { message }
}
