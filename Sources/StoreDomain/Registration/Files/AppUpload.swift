// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A file that a user of Connect has uploaded for an app, and whose changes
/// wait for the user's decision. A user has one of each kind for an app: the
/// next one replaces it.
package struct AppUpload: Hashable, Sendable {
    /// The kind of a file. The database stores the raw values.
    package enum Kind: String, Hashable, Sendable {
        /// A `.storekit` file.
        case configuration
        /// A table of prices and texts.
        case table
    }

    package var app: BundleIdentifier
    package var user: TeamUserIdentifier
    package var kind: Kind
    /// The file's name, as the browser has sent it.
    package var name: String
    package var contents: Data
    /// Whether products that the file lacks are taken off sale.
    package var withdraws = false
    package var uploaded: WallTime
    /// The version of the changes that were made; `nil` as long as the file
    /// waits.
    var applied: String?

    /// The most bytes of a file.
    package static let largest = 2 << 20
    package static let longestName = 200
    /// The most files of a team that wait.
    package static let mostOfATeam = 50
    /// How long a file waits. Old rows are deleted later.
    package static let lifetime = Duration.seconds(86_400)

    /// A file's name without control characters, and not too long for a page.
    static func cleaned(name: String) -> String {
        let visible = String(String.UnicodeScalarView(name.unicodeScalars.filter { !$0.isInvisible }))
        let name = String(visible.trimmingWhitespace().prefix(longestName))
        return name.isEmpty ? "the file" : name
    }

    /// Checks the bytes of a file.
    ///
    /// - Returns: The text of the file.
    /// - Throws: ``DomainError`` `invalid` for a file that is empty, too large
    ///   or not in UTF-8.
    static func text(of contents: Data, named name: String) throws -> String {
        guard !contents.isEmpty else { throw DomainError(.invalid, "Choose a file first.") }
        guard contents.count <= largest else {
            throw DomainError(.invalid, "\(name) has \(contents.count) bytes: a file has at most \(largest).")
        }
        // A text in UTF-16 has bytes that are 0, which UTF-8 allows.
        guard let text = String(validating: contents, as: UTF8.self), !contents.contains(0) else {
            throw DomainError(.invalid, "\(name) isn't a text in UTF-8: save it in UTF-8.")
        }
        return text
    }

    /// The error for a file that has expired or was never uploaded.
    static let missing = DomainError(.invalid, "There is no uploaded file: choose it again.")
}
