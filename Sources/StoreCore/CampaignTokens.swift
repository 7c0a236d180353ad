// SPDX-License-Identifier: Apache-2.0

/// The tokens in a link to the page of an item, by which an affiliate or a
/// seller recognises the purchases after a click on it.
///
/// The text form is a query that needs no percent-encoding: `at=fruit&ct=autumn`.
package struct CampaignTokens: Hashable, Sendable {
    /// The names of the tokens in a query, which are those of links to the App
    /// Store.
    package enum Name: String, CaseIterable, Sendable {
        case affiliate = "at"
        case campaign = "ct"
        case provider = "pt"
        case partner = "advp"
        /// The identifier of a custom product page.
        case page = "ppid"
    }

    /// The numbers of bytes of a token.
    package static let bytes = 1...64

    private var values: [Name: String] = [:]

    /// Keeps the values that are tokens.
    package init(_ values: [Name: String] = [:]) {
        self.values = values.filter { Self.isToken($0.value) }
    }

    /// Reads the text form, without the parts that aren't tokens.
    package init(_ text: String) {
        for part in text.split(separator: "&").prefix(Name.allCases.count) {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, let name = Name(rawValue: pair[0]), Self.isToken(pair[1]) else { continue }
            values[name] = pair[1]
        }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// The text form, with the tokens in one order.
    package var text: String {
        Name.allCases.compactMap { name in values[name].map { "\(name.rawValue)=\($0)" } }.joined(separator: "&")
    }

    /// A token; `nil` when there is none.
    package subscript(name: Name) -> String? { values[name] }

    /// Whether a text is a token: letters, digits, `-`, `.`, `_` and `~`, which
    /// a query has without percent-encoding (RFC 3986, section 2.3).
    package static func isToken(_ text: String) -> Bool {
        bytes.contains(text.utf8.count) && text.utf8.allSatisfy(\.isUnreserved)
    }
}
