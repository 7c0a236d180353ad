// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain

/// The keys of a store's objects in a bucket:
/// `<prefix>/<store>/objects/<upload>/<checksum>`.
///
/// The upload comes first, so that everything of one upload is listed by a
/// prefix. Keys of another form belong to others, and are left alone.
struct BucketKeys: Hashable, Sendable {
    /// The beginning of all keys, with a slash at its end.
    let beginning: String

    init(_ address: BucketAddress, store name: String) {
        beginning = (address.prefix.isEmpty ? "" : "\(address.prefix)/") + "\(name)/objects/"
    }

    /// The key of an object, and of the upload that becomes it.
    ///
    /// - Throws: `ContentStorageError` `missing` for a name that no upload
    ///   has made.
    func key(of object: ContentObjectName) throws -> String {
        let parts = Self.parts(of: object)
        guard let parts else { throw ContentStorageError(.missing, "\(object) is no name of an object in a bucket") }
        return "\(folder(of: parts.upload))\(parts.checksum)"
    }

    /// The beginning of the keys of an upload.
    func folder(of upload: UploadIdentifier) -> String { "\(beginning)\(upload)/" }

    /// A text after the keys of an upload and before those of all later ones.
    func end(of upload: UploadIdentifier) -> String { "\(folder(of: upload))~" }

    /// The object of a key; `nil` for a key of another form.
    func object(of key: String) -> ContentObjectName? {
        guard key.hasPrefix(beginning) else { return nil }
        let parts = key.dropFirst(beginning.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isHexadecimalName, parts[1].isHexadecimalName else { return nil }
        return ContentObjectName("\(parts[1])-\(parts[0])")
    }

    /// The upload of a key; `nil` for a key of another form.
    func upload(of key: String) -> UploadIdentifier? { object(of: key).flatMap(Self.parts)?.upload }

    /// The checksum and the upload in an object's name.
    static func parts(of object: ContentObjectName) -> (checksum: String, upload: UploadIdentifier)? {
        let parts = object.rawValue.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(\.isHexadecimalName) else { return nil }
        return (String(parts[0]), UploadIdentifier(String(parts[1])))
    }
}

extension Substring {
    fileprivate var isHexadecimalName: Bool { (1...64).contains(utf8.count) && hasHexadecimalDigitsOnly }
}
