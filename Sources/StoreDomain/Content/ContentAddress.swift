// SPDX-License-Identifier: Apache-2.0

package import Crypto
import Foundation
import StoreCore

/// The address of a content: its identifier, the purchase that gives the right
/// to it, and the end of its validity, signed by the store.
///
/// The three parts of the path are `<content>.<purchase>`, the end in
/// milliseconds since 1970, and the HMAC-SHA256 of both in hexadecimal.
package struct ContentAddress: Hashable, Sendable {
    package var content: ContentIdentifier
    package var purchase: TransactionIdentifier
    package var expires: WallTime

    /// How long an address is valid.
    package static let lifetime: Duration = .seconds(60 * 60)
    /// The path before the three parts.
    package static let folder = "/content"

    package init(_ opened: OpeningContent.Opened, expires: WallTime) {
        content = opened.content.identifier
        purchase = opened.purchase
        self.expires = expires
    }

    /// Reads the parts of a path; `nil` unless the store has signed them.
    package init?(identifier: String, expires: String, signature: String, key: SymmetricKey) {
        let names = identifier.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, let milliseconds = Int64(expires), let code = Data(hexadecimal: signature),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Self.signed(identifier, expires), using: key)
        else { return nil }
        content = ContentIdentifier(names[0])
        purchase = TransactionIdentifier(names[1])
        self.expires = WallTime(milliseconds: milliseconds)
    }

    /// The path with a signature.
    package func path(key: SymmetricKey) -> String {
        let (identifier, end) = ("\(content).\(purchase)", "\(expires.milliseconds)")
        let code = HMAC<SHA256>.authenticationCode(for: Self.signed(identifier, end), using: key)
        return "\(Self.folder)/\(identifier)/\(end)/\(Data(code).hexadecimal)"
    }

    private static func signed(_ identifier: String, _ expires: String) -> Data {
        Data("content address\n\(identifier)\n\(expires)".utf8)
    }
}
