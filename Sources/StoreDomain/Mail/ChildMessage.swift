// SPDX-License-Identifier: Apache-2.0

/// The values of a message to a parent whose child asks to buy.
struct ChildMessage: Hashable, Sendable {
    var parent: Account
    /// The e-mail address of the child.
    var child: String
    var product: String
    var app: String
    /// The consequence of an approval now.
    var outcome: ChildRequest.Outcome

    /// The most characters (Unicode scalars) of a name in a message, and its most
    /// bytes: the program that sends the message takes 4096 bytes.
    static let longestName = 100
    static let longestNameInBytes = 200

    /// The text in the parent's language; `page` is the address of the page on
    /// which the parent answers.
    func text(page: String) -> MailText {
        let language = MailLanguage(of: parent)
        return language.words.childAsks(
            Asked(
                child: Self.line(child), product: Self.name(product), app: Self.name(app),
                terms: terms(in: language).map { "\n\n\($0)" }.joined(), page: page))
    }

    /// The price, or the terms of a subscription, in paragraphs, as the page has
    /// them; none for a request that can't be approved now.
    private func terms(in language: MailLanguage) -> [String] {
        guard case .buys(let shown, let subscription) = outcome else { return [] }
        if let subscription { return TermsText(language.terms).paragraphs(subscription) }
        let price = language.terms.price(shown.price)
        return [shown.price.milliunits == 0 ? language.words.free : language.words.costs(price)]
    }

    /// The values of the sentences.
    struct Asked: Hashable, Sendable {
        var child: String
        var product: String
        var app: String
        /// The price or the terms, each paragraph after an empty line.
        var terms: String
        var page: String
    }

    /// A name that a seller has chosen, between quotation marks. Mail programs make a link of a text like an
    /// address: no part of the name does.
    static func name(_ name: String) -> String {
        let scalars = Array(line(name).unicodeScalars)
        var apart = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if scalar == "@", apart.last != " " { apart.append(" ") }
            apart.append(quotationMarks.contains(scalar) ? "\"" : scalar)
            if endsPartOfAddress(scalar, before: next) { apart.append(" ") }
        }
        return String(apart)
    }

    /// Those of the sentences around a name.
    private static let quotationMarks: Set<Unicode.Scalar> = ["“", "”", "„", "«", "»"]
    /// The characters that a browser reads as the dot of a domain (UTS #46).
    private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}"]

    /// Whether a space has to follow, so that no mail program joins both parts: `evil.example`, `https://`, `a@b`.
    private static func endsPartOfAddress(_ scalar: Unicode.Scalar, before next: Unicode.Scalar) -> Bool {
        switch scalar {
        case "@": next != " "
        case ":", "/", "\\": next == "/" || next == "\\"
        default: dots.contains(scalar) && next.properties.isAlphabetic
        }
    }

    /// A text from outside, as a part of one line.
    static func line(_ name: String) -> String {
        var (line, bytes) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars.prefix(longestName) {
            bytes += UTF8.width(scalar)
            guard bytes <= longestNameInBytes else { break }
            line.append(isPlain(scalar) ? scalar : " ")
        }
        return String(line) + (name.unicodeScalars.count > line.count ? "…" : "")
    }

    /// Whether a character neither ends a line nor changes the direction, nor is
    /// invisible between two others.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isBidiControl
        }
    }
}
