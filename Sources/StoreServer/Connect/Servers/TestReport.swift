// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of a test notification: each attempt, with the status of the
/// answer or the error.
struct TestReport {
    let listed: ListingNotifications.Listed
    let visit: ConnectVisit

    init(_ listed: ListingNotifications.Listed, _ visit: ConnectVisit) {
        self.listed = listed
        self.visit = visit
    }

    /// Whether an address hasn't got its first attempt yet.
    var isWaiting: Bool {
        listed.notification.payload == nil || listed.deliveries.contains { $0.state == .due && $0.attempts.isEmpty }
    }

    var entry: ConsoleEntry {
        let words = AddressWords.words(visit.language)
        let name = words.fill(\.testSent, ["date": visit.language.moment(listed.notification.created)])
        let details = listed.deliveries.flatMap(details)
        return ConsoleEntry(name: name, details: details.isEmpty ? [words.waiting] : details)
    }

    private func details(_ delivery: NotificationDelivery) -> [String] {
        let (words, record) = (AddressWords.words(visit.language), RecordWords.words(visit.language))
        let state = EventWords.words(visit.language).name(delivery.state)
        let attempts = delivery.attempts.suffix(10).map { attempt in
            let result = words.result(attempt)
            return record.fill(\.attempt, ["date": visit.language.moment(attempt.at), "result": result])
        }
        let next = delivery.due.map { record.fill(\.nextAttempt, ["date": visit.language.date($0)]) }
        return [visit.language.labelled(delivery.url.isolated, attempts.isEmpty ? words.waiting : state)] + attempts
            + (delivery.attempts.isEmpty ? [] : [next].compactMap { $0 })
    }
}
