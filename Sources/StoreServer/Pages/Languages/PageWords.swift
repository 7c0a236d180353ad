// SPDX-License-Identifier: Apache-2.0

import StoreDomain

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
    /// A name for a sentence. One with letters that are written from right to
    /// left, or with a character that changes the direction, is isolated: it
    /// doesn't change the order of the words around it (Unicode Standard
    /// Annex 9, FSI and PDI).
    var isolated: String {
        let changesDirection = unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0590...0x08FF, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
                0x10800...0x10FFF, 0x1E800...0x1EFFF:
                true
            default: false
            }
        }
        return changesDirection ? "\u{2068}\(self)\u{2069}" : self
    }
}
