// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import Synchronization

extension StoreService {
    /// Signs the notifications that were ordered, and begins the deliveries
    /// that are due, in rounds until the task is cancelled. An address that doesn't
    /// answer holds up no other one, and the addresses of a team take no more than its share of the connections.
    func sendNotifications(every pause: Duration) async {
        let busy = BusyAddresses()
        await withDiscardingTaskGroup { group in
            while (try? await clock.sleep(now + pause)) != nil {
                guard !isSuperseded else { continue }
                await signNotifications()
                for address in await dueAddresses() {
                    guard let team = busy.begin(address) else { continue }
                    group.addTask {
                        await self.sendNotifications(to: address.url, of: team) { false }
                        busy.end(address)
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
            let due = await dueAddresses(of: app).prefix(SendingNotifications.busyAddresses)
            await withDiscardingTaskGroup { group in
                for address in due {
                    let team = address.teams.first ?? ""
                    group.addTask { await self.sendNotifications(to: address.url, of: team) { self.now >= end } }
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

    private func sendNotifications(
        to url: String, of team: String, until isOver: @escaping @Sendable () -> Bool
    ) async {
        await SendingNotifications(context, secret: notifiedSecret)(
            to: url, of: team, until: isOver
        ) { [self] error in
            _ = failure(of: error, at: "sending notifications")
        }
    }

    private func dueAddresses(of app: BundleIdentifier = "") async -> [SendingNotifications.DueAddress] {
        do {
            return try await SendingNotifications(context).addresses(of: app)
        } catch {
            _ = failure(of: error, at: "sending notifications")
            return []
        }
    }
}

/// The addresses to which this process is sending.
final class BusyAddresses: Sendable {
    /// The teams of the addresses, by address.
    private let teams = Mutex<[String: String]>([:])

    /// Begins sending to an address if nothing is sent to it now, and neither the process nor each of its teams sends to as many
    /// addresses as it may.
    ///
    /// - Returns: The team whose share it takes; `nil` when sending may not begin.
    func begin(_ address: SendingNotifications.DueAddress) -> String? {
        teams.withLock { teams in
            guard teams[address.url] == nil, teams.count < SendingNotifications.busyAddresses,
                let team = address.teams.first(where: { team in
                    teams.values.count { $0 == team } < SendingNotifications.busyAddressesOfATeam
                })
            else { return nil }
            teams[address.url] = team
            return team
        }
    }

    func end(_ address: SendingNotifications.DueAddress) { teams.withLock { $0[address.url] = nil } }
}
