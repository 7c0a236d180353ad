// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The beginning of a packed object: the magic, the manifest's length as 4
/// bytes in big-endian order, and the manifest as JSON. The bytes of all files
/// follow in the manifest's order, without padding.
package struct ContentHead: Hashable, Sendable {
    /// The first bytes of every packed object.
    package static let magic = Data("OSKCONT1".utf8)
    /// The bytes of the magic and of the manifest's length.
    package static let prefixBytes = 12

    package let manifest: ContentManifest
    /// The bytes of the head, after which the first file begins.
    package let bytes: Int64

    /// The bytes of the whole object.
    package var objectBytes: Int64 { bytes + manifest.fileBytes }

    /// The ranges of the files in the object, in the manifest's order.
    package var ranges: [Range<Int64>] {
        var end = bytes
        return manifest.files.map { file in
            let start = end
            end += file.size
            return start..<end
        }
    }

    /// Reads the length of the whole head from the object's first
    /// ``prefixBytes`` bytes.
    ///
    /// - Throws: ``ContentFormatError`` for another magic, and for a manifest
    ///   that is larger than the format allows.
    package static func bytes(prefix: some Collection<UInt8>) throws(ContentFormatError) -> Int {
        guard prefix.count >= prefixBytes, prefix.starts(with: magic) else {
            throw ContentFormatError(.magic, "This isn't a packed content: it doesn't begin with OSKCONT1.")
        }
        let length = prefix.dropFirst(magic.count).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= ContentLimits.manifestBytes else {
            throw ContentFormatError(
                .tooLarge, "The manifest has \(length) bytes, and at most \(ContentLimits.manifestBytes).")
        }
        return prefixBytes + length
    }

    /// Reads a head from at least its own bytes, which ``bytes(prefix:)``
    /// counts.
    ///
    /// - Throws: ``ContentFormatError``.
    package init(decoding data: Data) throws(ContentFormatError) {
        let end = try Self.bytes(prefix: data.prefix(Self.prefixBytes))
        guard data.count >= end else {
            throw ContentFormatError(.manifest, "The manifest ends after \(data.count) of \(end) bytes.")
        }
        let json = data.dropFirst(Self.prefixBytes).prefix(end - Self.prefixBytes)
        do {
            self.init(manifest: try StoreCoding.decode(ContentManifest.self, from: Data(json)), bytes: Int64(end))
        } catch let error as ContentFormatError {
            throw error
        } catch {
            throw ContentFormatError(.manifest, "The manifest can't be read: \(error)")
        }
        try checkLength()
    }

    /// Encodes a manifest as the head of an object.
    ///
    /// - Throws: ``ContentFormatError`` when the manifest or the object is
    ///   too large.
    package static func encode(_ manifest: ContentManifest) throws(ContentFormatError) -> Data {
        let json: Data
        do {
            json = try StoreCoding.encode(manifest)
        } catch {
            throw ContentFormatError(.manifest, "The manifest can't be written: \(error)")
        }
        var data = magic
        withUnsafeBytes(of: UInt32(clamping: json.count).bigEndian) { data.append(contentsOf: $0) }
        data.append(json)
        // Checks the length of the manifest, too.
        let end = try bytes(prefix: data.prefix(prefixBytes))
        try ContentHead(manifest: manifest, bytes: Int64(end)).checkLength()
        return data
    }

    private init(manifest: ContentManifest, bytes: Int64) {
        self.manifest = manifest
        self.bytes = bytes
    }

    private func checkLength() throws(ContentFormatError) {
        guard objectBytes <= ContentLimits.objectBytes else {
            throw ContentFormatError(
                .tooLarge,
                "The packed content has \(objectBytes) bytes. A product has at most \(ContentLimits.objectBytes).")
        }
    }
}
