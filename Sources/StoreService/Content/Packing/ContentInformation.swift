// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDomain

/// The product and the version that a package's `ContentInfo.plist` names.
package struct ContentInformation: Hashable, Sendable {
    package let product: String
    package let version: String

    /// The most bytes of a `ContentInfo.plist`.
    package static let limit = 64 << 10
    /// The most dictionaries and arrays. Foundation reads nested ones by
    /// recursion, so that without a limit a hostile file would end the
    /// process.
    private static let containers = 64

    /// Reads an XML property list.
    ///
    /// - Throws: `DomainError` `invalid`.
    package init(_ data: Data) throws {
        guard data.count <= Self.limit else {
            throw DomainError(.invalid, "ContentInfo.plist has \(data.count) bytes, and at most \(Self.limit).")
        }
        let text = String(decoding: data, as: UTF8.self)
        let isXML = ["<?xml", "<!DOCTYPE", "<plist"].contains { text.trimmedStart.hasPrefix($0) }
        let count = text.components(separatedBy: "<dict").count + text.components(separatedBy: "<array").count - 2
        guard isXML, count <= Self.containers,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let values = list as? [String: Any]
        else { throw DomainError(.invalid, "ContentInfo.plist isn't a property list in XML.") }
        product = try Self.text("IAPProductIdentifier", in: values)
        version = try Self.text("ContentVersion", in: values)
    }

    private static func text(_ key: String, in values: [String: Any]) throws -> String {
        guard let text = values[key] as? String, !text.isEmpty else {
            throw DomainError(.invalid, "ContentInfo.plist has no text under the key \(key).")
        }
        return text
    }
}

extension String {
    /// The text without a byte order mark and white space at its beginning.
    fileprivate var trimmedStart: Substring {
        drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    }
}
