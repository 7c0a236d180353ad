// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// Makes a store's text safe for logs, terminals and errors: short, in one
/// line, and without characters that move a cursor or change the writing
/// direction.
enum PrintableText {
    /// The number of characters of the longest text.
    static let limit = 2000

    /// The text with spaces for line breaks and tabs, U+FFFD for other
    /// control and format characters, and an ellipsis where it is cut.
    static func of(_ text: String, limit: Int = PrintableText.limit) -> String {
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return String(kept) + "…" }
            kept.append(replacement(of: scalar))
            count += 1
        }
        return String(kept)
    }

    private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
            return " "
        default:
            let category = scalar.properties.generalCategory
            return category == .control || category == .format ? "\u{FFFD}" : scalar
        }
    }
}

extension StoreFailure {
    /// The failure with a printable message and code.
    var printable: StoreFailure {
        var failure = self
        failure.code.rawValue = PrintableText.of(code.rawValue, limit: 100)
        failure.message = PrintableText.of(message)
        return failure
    }
}
