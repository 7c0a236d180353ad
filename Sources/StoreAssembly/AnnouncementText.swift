// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain

/// Announcements as a text for a `NotificationChannel`: the environment, then
/// a word for each announcement, such as `a42:3f09` for event 42 of account
/// 3f09, and `d7:c0de` for news 7 of device c0de.
///
/// A word that can't be read is skipped, so that a later version can add
/// other kinds.
struct AnnouncementText {
    private(set) var text: String

    init(_ environment: StoreEnvironment) {
        text = environment.rawValue
    }

    /// Adds an announcement; `false` when the text has no room for it.
    mutating func append(_ announcement: Announcement) -> Bool {
        let word =
            switch announcement.subject {
            case .account(let account): " a\(announcement.number):\(account)"
            case .device(let device): " d\(announcement.number):\(device)"
            }
        // A text always takes its first announcement: identifiers are short.
        guard text.utf8.count + word.utf8.count <= NotificationLimits.bytes else { return false }
        text += word
        return true
    }

    /// The announcements in a text of an environment; none in a text of
    /// another one.
    static func announcements(in text: String, of environment: StoreEnvironment) -> [Announcement] {
        let words = text.split(separator: " ")
        guard let first = words.first, first == environment.rawValue else { return [] }
        return words.dropFirst().compactMap(announcement)
    }

    private static func announcement(_ word: Substring) -> Announcement? {
        let parts = word.dropFirst().split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
        let identifier = String(parts[1])
        switch word.first {
        case "a": return Announcement(.account(AccountIdentifier(identifier)), number)
        case "d": return Announcement(.device(DeviceIdentifier(identifier)), number)
        default: return nil
        }
    }
}
