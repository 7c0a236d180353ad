// SPDX-License-Identifier: Apache-2.0

import Foundation

extension JSONText {
    /// The file's bytes in Xcode's layout, so that a file of Xcode with an
    /// edit differs in the edited lines only.
    var data: Data {
        var text = ""
        write(to: &text, indentation: "")
        return Data(text.utf8)
    }

    private func write(to text: inout String, indentation: String) {
        switch self {
        case .scalar(let source): text += source
        case .array(let elements):
            Self.write("[", elements, "]", to: &text, indentation) { element, text, indentation in
                element.write(to: &text, indentation: indentation)
            }
        case .object(let members):
            Self.write("{", members, "}", to: &text, indentation) { member, text, indentation in
                text += "\(member.key) : "
                member.value.write(to: &text, indentation: indentation)
            }
        }
    }

    /// Writes parts between brackets, a line each. Xcode leaves an empty line
    /// between brackets without any.
    private static func write<Part>(
        _ opening: String, _ parts: [Part], _ closing: String, to text: inout String, _ indentation: String,
        part: (Part, inout String, String) -> Void
    ) {
        text += opening + "\n"
        for (place, value) in parts.enumerated() {
            text += indentation + "  "
            part(value, &text, indentation + "  ")
            text += place + 1 < parts.count ? ",\n" : ""
        }
        text += "\n" + indentation + closing
    }
}
