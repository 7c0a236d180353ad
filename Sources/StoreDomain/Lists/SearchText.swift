// SPDX-License-Identifier: Apache-2.0

/// The search of a list in Connect: an entry matches when each of the words is in one of its texts, without regard to case.
///
/// The number and the length of the words are limited, because each is looked for in each entry.
struct SearchText: Sendable {
    static let mostWords = 8
    /// The most bytes of all words.
    static let longest = 200

    private let words: [String]

    /// Whether there is nothing to search for.
    var isEmpty: Bool { words.isEmpty }

    /// - Throws: ``DomainError`` `invalid` for too many or too long words.
    init(_ text: String) throws {
        let text = text.trimmingWhitespace()
        guard text.utf8.count <= Self.longest else { throw Self.tooLong }
        words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count <= Self.mostWords else { throw Self.tooLong }
    }

    func matches(_ texts: [String]) -> Bool {
        if words.isEmpty { return true }
        let texts = texts.map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    private static let tooLong = DomainError(
        .invalid, "A search has at most \(mostWords) words and \(longest) bytes: search for less.")
}
