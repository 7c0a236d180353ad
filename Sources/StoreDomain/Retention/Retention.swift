// SPDX-License-Identifier: Apache-2.0

/// How long the store keeps the rows that its books don't need, in days.
///
/// Accounts, payments, refunds and requests for them, ledger entries,
/// purchases, reservations, the events of refunds, subscriptions with their
/// events, the uses of offers, codes with their redemptions, and the tokens of
/// links with their sums are never deleted. ``DeletingOldRows`` deletes the others.
package struct Retention: Hashable, Sendable {
    /// Events of accounts, from their commit. A device that was away for
    /// longer receives a snapshot of its queue, with all refunds since.
    package var events = 90
    /// News of devices, from their commit. A stream that continues after an
    /// older one leaves them out; the device asks about all of its requests
    /// whenever it opens a stream.
    package var deviceNews = 7
    /// Answered requests of devices, from their answer. A request whose
    /// purchase is unfinished is kept; one whose purchase is finished is
    /// answered from the purchase after it was deleted.
    package var requests = 90
    /// Answered and expired sheets, from the end of their time, but no longer
    /// than `requests`.
    package var sheets = 30
    /// The lists of restored transactions, from the restore, but no longer
    /// than `requests`. The restore can't be continued afterwards.
    package var restores = 30
    /// Devices without an account, a request and a queue, from their last
    /// call. Such a device registers again.
    package var unusedDevices = 30
    /// The queues and sign-ins of devices that send no calls any more, from
    /// the last call, and then the devices. A consumable in the queue of a
    /// lost device can't be delivered afterwards.
    package var lostDevices = 730
    /// Removals of key-value pairs. A device that was away for longer
    /// receives all values.
    package var removedValues = 180
    /// Notifications to sellers' servers and their deliveries. Apple's history
    /// has those of 180 days.
    package var notifications = 180
    /// Events of the payment provider that were handled. A repetition of a
    /// deleted event is handled as a new one, which changes no payment twice.
    package var providerEvents = 180
    /// The sandbox provider's records of declined, voided and refunded
    /// payments, and of refunds.
    package var settledPayments = 180
    /// The sandbox provider's records of captured payments. Afterwards the
    /// purchase can't be refunded through that provider.
    package var capturedPayments = 3650
    /// Sessions of browsers, from the end of their time.
    package var sheetSessions = 1
    /// Messages that couldn't be sent, from their order, and links that were
    /// sent, from the end of their time.
    package var mail = 1
    /// Counts of wrong passwords, from the last one.
    package var passwordCounts = 1
    /// The nonces of promotional offers, from the payment. A signature is
    /// valid for a day.
    package var offerNonces = 2
    /// The former products of changes in Connect. A change reaches the store
    /// after a day at most.
    package var formerProducts = 2
    /// Refused requests of a sandbox, which the live page shows.
    package var sandboxProblems = 1
    /// Changes in the logs of Connect's teams.
    package var teamChanges = 1095
    /// Reports of server processes that don't run any more.
    package var servingNodes = 1

    /// Makes the default.
    package init() {}

    /// A kind of row with a time to live.
    package struct Kind: Sendable {
        /// The name by which an operator sets it.
        package let name: String
        /// The property with the number of days.
        package let days: any WritableKeyPath<Retention, Int> & Sendable
        /// The numbers of days that an operator may set.
        package let range: ClosedRange<Int>

        fileprivate init(
            _ name: String, _ days: any WritableKeyPath<Retention, Int> & Sendable, from shortest: Int = 1
        ) {
            self.name = name
            self.days = days
            range = shortest...Retention.longest
        }
    }

    /// The largest number of days: a hundred years.
    package static let longest = 36_500

    /// All kinds of row that have a time to live.
    ///
    /// The shortest time of requests is longer than an app can wait for an
    /// answer, and that of passwords is the time for which they count. A
    /// device's last call is recorded to the day, so that after one day a
    /// device that calls all the time could be deleted.
    package static let kinds = [
        Kind("events", \.events),
        Kind("device-news", \.deviceNews),
        Kind("requests", \.requests, from: 7),
        Kind("sheets", \.sheets),
        Kind("restores", \.restores),
        Kind("unused-devices", \.unusedDevices, from: 2),
        Kind("lost-devices", \.lostDevices, from: 30),
        Kind("removed-values", \.removedValues),
        Kind("notifications", \.notifications, from: 7),
        Kind("provider-events", \.providerEvents, from: 30),
        Kind("settled-payments", \.settledPayments),
        Kind("captured-payments", \.capturedPayments, from: 365),
        Kind("sheet-sessions", \.sheetSessions),
        Kind("mail", \.mail),
        Kind("team-changes", \.teamChanges, from: 30),
        Kind("former-products", \.formerProducts, from: 2),
        Kind("sandbox-problems", \.sandboxProblems),
        Kind("password-counts", \.passwordCounts),
        Kind("serving-nodes", \.servingNodes),
        Kind("offer-nonces", \.offerNonces, from: 2),
    ]
}
