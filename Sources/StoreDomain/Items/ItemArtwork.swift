// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import StoreCore

/// An image of an item: its icon or a screenshot.
package struct ItemArtwork: Hashable, Sendable {
    /// The SHA-256 of the bytes in lower-case hexadecimal, which is the image's
    /// address.
    package var digest: String
    /// The media type.
    package var type: String
    package var bytes: Data

    /// The largest number of bytes of all images of an item.
    package static let largest = 5 << 20
    /// The largest number of screenshots of an item.
    package static let screenshots = 8

    init(digest: String, type: String, bytes: Data) {
        self.digest = digest
        self.type = type
        self.bytes = bytes
    }

    /// Recognises an image by its first bytes: PNG, JPEG or WebP. An image in
    /// SVG could contain scripts.
    ///
    /// - Throws: ``DomainError`` `invalid` for other bytes.
    package init(_ bytes: Data) throws {
        guard let type = Self.type(of: bytes) else {
            throw DomainError(.invalid, "An icon or a screenshot is an image in PNG, JPEG or WebP.")
        }
        self.init(digest: Data(SHA256.hash(data: bytes)).hexadecimal, type: type, bytes: bytes)
    }

    private static func type(of bytes: Data) -> String? {
        let first = [UInt8](bytes.prefix(12))
        if first.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if first.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if first.starts(with: Array("RIFF".utf8)), first.dropFirst(8).elementsEqual(Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}

/// The images of an item, in the order of its page.
package struct ItemGallery: Sendable {
    /// `nil` for an item without an icon.
    package var icon: ItemArtwork?
    package var screenshots: [ItemArtwork]

    /// - Throws: ``DomainError`` `invalid` for bytes that aren't an image, too
    ///   many screenshots, and too many bytes.
    package init(icon: Data? = nil, screenshots: [Data] = []) throws {
        guard screenshots.count <= ItemArtwork.screenshots else {
            throw DomainError(.invalid, "An item has at most \(ItemArtwork.screenshots) screenshots.")
        }
        guard (icon?.count ?? 0) + screenshots.map(\.count).reduce(0, +) <= ItemArtwork.largest else {
            throw DomainError(.invalid, "The images of an item have at most \(ItemArtwork.largest) bytes together.")
        }
        self.icon = try icon.map(ItemArtwork.init)
        self.screenshots = try screenshots.map(ItemArtwork.init)
    }
}
