// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A recipe of a downloaded book.
struct Recipe: Encodable, Hashable, Sendable {
    var title: String
    var text: String
}

/// The books that the app keeps. StoreKit downloads a book into the folder of
/// caches, and the app moves it to a folder of its own.
struct RecipeBooks {
    private let folder: URL

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let data: URL
        if let named = environment["XDG_DATA_HOME"], named.hasPrefix("/") {
            data = URL(fileURLWithPath: named, isDirectory: true)
        } else {
            data = FileManager.default.homeDirectoryForCurrentUser
                .appendingPathComponent(".local/share", isDirectory: true)
        }
        folder = data.appendingPathComponent("BuyFruit", isDirectory: true)
    }

    private func book(_ productIdentifier: String) -> URL {
        folder.appendingPathComponent(productIdentifier, isDirectory: true)
    }

    /// Whether the app keeps the book of a product.
    func hasBook(_ productIdentifier: String) -> Bool {
        FileManager.default.fileExists(atPath: book(productIdentifier).path)
    }

    /// Moves a downloaded book to the app's folder, in the place of an earlier
    /// one, and excludes it from backups: it can be downloaded again.
    ///
    /// - Throws: an error of the file system.
    func keep(_ content: URL, of productIdentifier: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var kept = book(productIdentifier)
        if hasBook(productIdentifier) { try FileManager.default.removeItem(at: kept) }
        try FileManager.default.moveItem(at: content, to: kept)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try kept.setResourceValues(values)
    }

    /// The recipes of a product's book; none without the book.
    func recipes(of productIdentifier: String) -> [Recipe] {
        let contents = book(productIdentifier).appendingPathComponent("Contents", isDirectory: true)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".txt") }.compactMap { name in
            guard let data = FileManager.default.contents(atPath: contents.appendingPathComponent(name).path) else {
                return nil
            }
            return Recipe(title: String(name.dropLast(4)), text: String(decoding: data, as: UTF8.self))
        }
    }
}
