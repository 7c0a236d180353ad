// SPDX-License-Identifier: Apache-2.0

import Mustache

/// Escapes text for HTML, scalar by scalar.
///
/// Mustache's own escaping compares characters. A quotation mark with a
/// combining mark behind it is another character, so that it would stay
/// unescaped and end an attribute's value. ``PageTemplates`` selects this type
/// for each template.
struct HTMLText: MustacheContentType {
    /// The name by which templates select this type.
    static let name = "STORE_HTML"

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    static func escaped(_ text: String) -> String {
        // Few texts have such a character.
        guard text.utf8.contains(where: isSpecial) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }
}
