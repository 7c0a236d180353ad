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
        guard text.unicodeScalars.contains(where: { reference(to: $0) != nil }) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let reference = reference(to: scalar) {
                escaped.append(contentsOf: reference.unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// The character reference that stands for a scalar; `nil` for a scalar
    /// that stays as it is.
    private static func reference(to scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }
}
