// SPDX-License-Identifier: Apache-2.0

/// The values of a message to a parent whose child asks to buy.
struct ChildMessage: Hashable, Sendable {
    var parent: Account
    /// The e-mail address of the child.
    var child: String
    var product: String
    var app: String

    /// The most characters (Unicode scalars) of a name in a message.
    static let longestName = 100

    /// The text in the parent's language; `page` is the address of the page on
    /// which the parent answers.
    func text(page: String) -> MailText {
        MailLanguage(of: parent).words.childAsks(
            Asked(
                child: Self.line(child), product: Self.line(product), app: Self.line(app), page: page))
    }

    /// The values of the sentences.
    struct Asked: Hashable, Sendable {
        var child: String
        var product: String
        var app: String
        var page: String
    }

    /// A name from outside, as a part of one line.
    static func line(_ name: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(longestName) { line.append(isPlain(scalar) ? scalar : " ") }
        return String(line) + (name.unicodeScalars.count > longestName ? "…" : "")
    }

    /// Whether a character neither ends a line nor changes the direction.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isBidiControl
        }
    }
}
