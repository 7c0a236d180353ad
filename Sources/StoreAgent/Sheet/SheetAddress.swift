// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The address of a sheet that may be shown to the customer.
///
/// It is made only from a checked text, because it reaches programs of the
/// device: a browser takes options, files and scripts where it expects an
/// address, and a terminal obeys control characters.
///
/// The host may be another than that of `STOREKIT_STORE_URL`: an app in a
/// container calls the store by a service name, which the customer's browser
/// doesn't know.
package struct SheetAddress: Sendable, Hashable {
    /// The length of the longest address, in bytes.
    package static let limit = 2048

    private let url: URL

    /// Checks the text that a store has sent as the address of a sheet: `http`
    /// or `https`, and `https` when the store's own address is.
    ///
    /// - Throws: ``AgentError`` with the code `sheet`, which says that the
    ///   customer can't have seen the sheet.
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

    /// Shows the sheet. Nothing else of the agent calls a presenter.
    ///
    /// - Throws: what the presenter throws.
    package func present(with presenter: any SheetPresenter) async throws {
        try await presenter.present(url)
    }

    /// Why an address isn't shown, to follow the address in a sentence.
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
        // A program may take a host that begins with a dash for an option.
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
