// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The checked address of a sheet.
///
/// Only a checked address may reach the device's programs: a browser accepts
/// options, files and scripts instead of an address, and a terminal
/// interprets control characters.
///
/// The host may differ from that of `STOREKIT_STORE_URL`. An app in a
/// container reaches the store by a service name that the customer's browser
/// can't resolve.
package struct SheetAddress: Sendable, Hashable {
    /// The length of the longest address, in bytes.
    package static let limit = 2048

    private let url: URL

    /// Checks the address of a sheet from a store. The scheme must be `http`
    /// or `https`, and `https` if the store's own address has it.
    ///
    /// - Throws: ``AgentError`` with the code `sheet`: the customer can't
    ///   have seen the sheet.
    package init(_ text: String, from store: URL?) throws {
        do {
            url = try Self.checked(text, isSecure: store?.scheme?.lowercased() == "https")
        } catch let refusal as Refusal {
            throw AgentError(
                .sheet,
                """
                The store sent "\(PrintableText.of(text, limit: 200))" as the address of its sheet, which \
                \(refusal.reason). It wasn't opened. Check that STOREKIT_STORE_URL names the right store, and that the \
                store's --public-url is the address at which the customer's browser reaches it.
                """)
        }
    }

    /// Shows the sheet. The agent's presenter is called only here.
    ///
    /// - Throws: the presenter's error.
    package func present(with presenter: any SheetPresenter) async throws {
        try await presenter.present(url)
    }

    /// The reason of a refusal, as a clause that continues the error's
    /// sentence.
    private struct Refusal: Error {
        let reason: String
    }

    private static func checked(_ text: String, isSecure: Bool) throws -> URL {
        guard text.utf8.count <= limit else { throw Refusal(reason: "is longer than \(limit) bytes") }
        guard text.utf8.allSatisfy(isOfAddress) else {
            throw Refusal(reason: "has a character that must be percent-encoded in an address")
        }
        guard let url = URL(string: text), url.absoluteString == text, let scheme = url.scheme?.lowercased() else {
            throw Refusal(reason: "is no address")
        }
        guard scheme == "https" || scheme == "http" else {
            throw Refusal(reason: "begins neither with https:// nor with http://")
        }
        guard scheme == "https" || !isSecure else {
            throw Refusal(reason: "begins with http:// although the store's own address begins with https://")
        }
        // A program may treat a host that begins with a dash as an option.
        guard let host = url.host, let first = host.utf8.first, first != UInt8(ascii: "-") else {
            throw Refusal(reason: "has no host")
        }
        guard url.user == nil, url.password == nil else { throw Refusal(reason: "has a user's name before its host") }
        return url
    }

    /// Letters, digits and the punctuation of RFC 3986 without `!$'()*;`,
    /// which a shell treats specially: `BROWSER` may be a script that doesn't
    /// quote its arguments.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~:/?#[]@&+,=%".utf8.contains(byte)
        }
    }
}
