// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import Synchronization

extension StoreService {
    /// Signs the notifications that were ordered, and begins the deliveries
    /// that are due, in rounds until the task is cancelled. An address that doesn't
    /// answer holds up no other one.
    func sendNotifications(every pause: Duration) async {
        let busy = BusyAddresses()
        await withDiscardingTaskGroup { group in
            while (try? await clock.sleep(now + pause)) != nil {
                guard !isSuperseded else { continue }
                await signNotifications()
                for url in await dueAddresses(busy: busy.count) where busy.begin(url) {
                    group.addTask {
                        await self.sendNotifications(to: url) { false }
                        busy.end(url)
                    }
                }
            }
        }
    }

    /// Makes the deliveries that are due, until none of an app is, or of all
    /// apps when the identifier is empty. An attempt that is under way at the
    /// end of the time is completed.
    ///
    /// - Returns: Whether nothing is due; `false` when the time was over
    ///   before.
    /// - Throws: `DatabaseError`; `CancellationError`.
    package func settleNotifications(of app: BundleIdentifier, within limit: Duration) async throws -> Bool {
        let end = now + limit
        while true {
            // The ends of shares are causes of notifications.
            await sharePurchases()
            await signNotifications()
            await withDiscardingTaskGroup { group in
                for url in await dueAddresses(of: app) {
                    group.addTask { await self.sendNotifications(to: url) { self.now >= end } }
                }
            }
            if try await ListingNotifications(context).isSettled(of: app) { return true }
            guard now < end else { return false }
            // Another process, or a round of this one, is at it.
            try await clock.sleep(now + .milliseconds(20))
        }
    }

    /// Signs the notifications that were ordered, and logs those that can't be.
    func signNotifications() async {
        do {
            try await SigningNotifications(context, authority: authority)() { [self] error in
                _ = failure(of: error, at: "signing a notification")
            }
        } catch {
            _ = failure(of: error, at: "signing notifications")
        }
    }

    private func sendNotifications(to url: String, until isOver: @escaping @Sendable () -> Bool) async {
        await SendingNotifications(context, secret: notifiedSecret)(to: url, until: isOver) { [self] error in
            _ = failure(of: error, at: "sending notifications")
        }
    }

    private func dueAddresses(of app: BundleIdentifier = "", busy: Int = 0) async -> [String] {
        do {
            return try await SendingNotifications(context).addresses(of: app, busy: busy)
        } catch {
            _ = failure(of: error, at: "sending notifications")
            return []
        }
    }
}

/// The addresses to which this process is sending.
private final class BusyAddresses: Sendable {
    private let urls = Mutex<Set<String>>([])

    /// The number of the addresses.
    var count: Int { urls.withLock { $0.count } }
    /// Whether nothing was sent to the address before.
    func begin(_ url: String) -> Bool { urls.withLock { $0.insert(url).inserted } }
    func end(_ url: String) { urls.withLock { _ = $0.remove(url) } }
}
