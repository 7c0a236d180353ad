// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase
package import StoreDomain
import Synchronization

/// The bus of a store that several nodes serve: it passes announcements to
/// this process immediately, and to the others through a channel.
///
/// Announcements that wait for the channel are combined: of a subject only the
/// highest number is sent. Beyond ``capacity`` subjects further ones are
/// dropped, and the other nodes find them in the database.
package final class SharedNewsBus: NewsBus {
    /// The number of subjects that may wait for the channel.
    static let capacity = 20_000

    private let local = LocalNewsBus()
    private let channel: any NotificationChannel
    private let environment: StoreEnvironment
    private let waiting = Mutex<[Announcement.Subject: Int64]>([:])

    /// Makes a bus, and opens the channel. It stays open until the channel's
    /// owner closes it.
    package init(_ channel: any NotificationChannel, environment: StoreEnvironment) {
        self.channel = channel
        self.environment = environment
        channel.open(
            next: { [weak self] in self?.next() },
            received: { [weak self] in self?.receive($0) })
    }

    package func publish(_ announcements: [Announcement]) {
        local.publish(announcements)
        waiting.withLock { waiting in
            for announcement in announcements {
                let known = waiting[announcement.subject]
                guard known != nil || waiting.count < Self.capacity else { continue }
                waiting[announcement.subject] = max(announcement.number, known ?? 0)
            }
        }
        channel.wake()
    }

    package func subscribe(_ receiver: @escaping @Sendable ([Announcement]) -> Void) {
        local.subscribe(receiver)
    }

    /// As many of the waiting announcements as one text takes.
    private func next() -> String? {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return nil }
            var text = AnnouncementText(environment)
            let sent = waiting.prefix { text.append(Announcement($0.key, $0.value)) }
            for (subject, _) in sent { waiting[subject] = nil }
            return text.text
        }
    }

    private func receive(_ text: String) {
        let announcements = AnnouncementText.announcements(in: text, of: environment)
        if !announcements.isEmpty { local.publish(announcements) }
    }
}
