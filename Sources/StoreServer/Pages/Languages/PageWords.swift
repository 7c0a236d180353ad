// SPDX-License-Identifier: Apache-2.0

/// All texts of a page, or of a part of pages, in each language.
///
/// A type has a stored property for each text, without a default value. A text
/// that a language lacks, or a language that has no texts, doesn't compile.
/// Names in braces stand for values, which ``fill(_:_:)`` puts in. Customers
/// are addressed formally.
protocol PageWords: Sendable {
    static var english: Self { get }
    static var german: Self { get }
    static var french: Self { get }
}

extension PageWords {
    /// The texts in a language.
    static func words(_ language: PageLanguage) -> Self {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        }
    }

    /// A text of these with values in the place of the names in braces.
    func fill(_ text: KeyPath<Self, String>, _ values: KeyValuePairs<String, String>) -> String {
        TermsWords.fill(self[keyPath: text], values)
    }
}

extension String {
    /// A name for a sentence, whose direction doesn't change the order of the
    /// words around it (Unicode Standard Annex 9, FSI and PDI).
    var isolated: String { "\u{2068}\(self)\u{2069}" }
}
