// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The changes of a file as entries of a page, as many as a page can have.
struct ChangeList {
    private(set) var entries: [ConsoleEntry] = []
    /// The number of changed objects that the page leaves out.
    private(set) var more = 0

    /// The most bytes of the entries in HTML, so that a page weighs less than
    /// 80 KB.
    static let budget = 40_000
    /// The most characters of a value; the rest is left out of the page.
    static let longestValue = 150
    /// The bytes of the elements of an entry or a line.
    private static let overhead = 60

    init(_ changes: [AppFileDiff.Change], in language: PageLanguage) {
        let (words, values) = (FileWords.words(language), ValueWords.words(language))
        var weight = 0
        for change in changes {
            var entry = ConsoleEntry(name: Self.shortened(words.name(change.subject)), note: words.name(change.kind))
            weight += Self.weight(of: entry.name)
            guard weight < Self.budget else { break }
            for value in change.values {
                let line = values.line(value, isNew: change.kind == .added, in: language)
                weight += Self.weight(of: line)
                guard weight < Self.budget else {
                    let rest = change.values.count - entry.details.count
                    entry.details.append(words.fill(\.moreValues, ["count": String(rest)]))
                    break
                }
                entry.details.append(line)
            }
            entries.append(entry)
        }
        more = changes.count - entries.count
    }

    static func shortened(_ text: String) -> String {
        text.count > longestValue ? "\(text.prefix(longestValue))…" : text
    }

    private static func weight(of text: String) -> Int {
        text.utf8.reduce(overhead) { $0 + ("\"&<>'".utf8.contains($1) ? 6 : 1) }
    }
}
