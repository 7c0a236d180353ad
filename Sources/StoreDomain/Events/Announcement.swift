// SPDX-License-Identifier: Apache-2.0

/// The number of an account's newest event, or of a device's newest news,
/// after a commit.
package struct Announcement: Hashable, Sendable {
    /// Whose event or news it is.
    package enum Subject: Hashable, Sendable {
        case account(AccountIdentifier)
        case device(DeviceIdentifier)
    }

    package var subject: Subject
    package var number: Int64

    package init(_ subject: Subject, _ number: Int64) {
        self.subject = subject
        self.number = number
    }
}

/// The announcements of one database transaction, which are published after
/// its commit: one for each subject, with its highest number.
///
/// A closure may run twice. Each run has a list of its own, and only that of
/// the run whose changes were committed is published.
final class AnnouncementList {
    private var numbers: [Announcement.Subject: Int64] = [:]
    /// The subjects in the order of their first event or news.
    private var subjects: [Announcement.Subject] = []

    /// The announcements to publish.
    var entries: [Announcement] { subjects.map { Announcement($0, numbers[$0] ?? 0) } }

    func note(_ subject: Announcement.Subject, _ number: Int64) {
        if numbers[subject] == nil { subjects.append(subject) }
        numbers[subject] = max(number, numbers[subject] ?? 0)
    }
}
