// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// An image that a team has registered: an app's icon, the image of a promoted
/// product, or a product's screenshot for the review.
package struct RegistrationImage: Hashable, Sendable {
    /// The use of an image, which decides its size and its readers.
    package enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// An app's icon on the store's pages.
        case icon
        /// A product's image on the page of its app.
        case promotion
        /// A product in use. Only the team and the operator see it.
        case review

        /// The width and height in pixels; `nil` for a screenshot.
        package var side: Int? { self == .review ? nil : 1024 }
        /// Whether customers see the image.
        var isPublic: Bool { self != .review }
    }

    package var purpose: Purpose
    /// The SHA-256 of the bytes in lower-case hexadecimal, which is the
    /// image's address.
    package var digest: String
    /// `image/png` or `image/jpeg`.
    package var type: String
    /// In pixels.
    package var width: Int
    package var height: Int
    /// The number of bytes.
    package var size: Int

    /// The largest number of bytes of an image.
    package static let largest = 5 << 20
    /// The most images of a team's apps and products, and their bytes.
    package static let mostOfATeam = 20_000
    package static let bytesOfATeam = 10 << 30
    /// The shorter and the longer side of the smallest screenshot in pixels:
    /// that of an iPhone 4 without its status bar.
    package static let smallest = (short: 640, long: 920)
    /// The longest side of a screenshot in pixels.
    package static let longest = 8192

    /// Checks the bytes of an image.
    ///
    /// - Throws: ``InvalidFields``: `missing` without bytes, `fileTooLarge`,
    ///   `malformed` for bytes that aren't a PNG or JPEG image, `wrongSize`,
    ///   and `transparent` for an image of customers with an alpha channel.
    init(checking bytes: Data, for purpose: Purpose) throws {
        var checks = FieldChecks()
        let format = PictureFormat(bytes)
        if bytes.isEmpty {
            checks.add(purpose.rawValue, .missing)
        } else if bytes.count > Self.largest {
            checks.add(purpose.rawValue, .fileTooLarge, limit: Self.largest >> 20)
        } else if let format {
            if !Self.fits(format, purpose) { checks.add(purpose.rawValue, .wrongSize) }
            if purpose.isPublic, format.hasAlpha { checks.add(purpose.rawValue, .transparent) }
        } else {
            checks.add(purpose.rawValue, .malformed)
        }
        try checks.finish()
        self.init(
            purpose: purpose, digest: Data(SHA256.hash(data: bytes)).hexadecimal, type: format?.type ?? "",
            width: format?.width ?? 0, height: format?.height ?? 0, size: bytes.count)
    }

    init(purpose: Purpose, digest: String, type: String, width: Int, height: Int, size: Int) {
        self.purpose = purpose
        self.digest = digest
        self.type = type
        self.width = width
        self.height = height
        self.size = size
    }

    private static func fits(_ format: PictureFormat, _ purpose: Purpose) -> Bool {
        if let side = purpose.side { return format.width == side && format.height == side }
        let (short, long) = (min(format.width, format.height), max(format.width, format.height))
        return short >= smallest.short && long >= smallest.long && long <= longest
    }

    /// The image in the log of changes.
    var summary: String { "\(purpose.rawValue) \(width) × \(height) \(digest.prefix(12))" }
}
