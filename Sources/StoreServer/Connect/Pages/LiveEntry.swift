// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The texts of an entry of the live page.
struct LiveEntry {
    let activity: ActivityEntry
    let visit: ConnectVisit
    let words: LiveWords

    init(_ activity: ActivityEntry, _ visit: ConnectVisit) {
        self.activity = activity
        self.visit = visit
        words = .words(visit.language)
    }

    var entry: ConsoleEntry {
        switch activity.subject {
        case .request(let request, let isOnSheet): entry(of: request, isOnSheet: isOnSheet)
        case .notification(let listed): entry(of: listed)
        case .problem(let problem): entry(of: problem)
        }
    }

    private func entry(of problem: SandboxProblem) -> ConsoleEntry {
        let words = ProblemWords.words(visit.language)
        let (name, details) = words.texts(of: problem.subject)
        return ConsoleEntry(
            name: name, details: details + [activity.app.rawValue], note: visit.language.moment(activity.at))
    }

    private func entry(of request: DeviceRequest, isOnSheet: Bool) -> ConsoleEntry {
        let product = request.productIdentifier?.rawValue.isolated
        let kind = words.name(request.kind)
        return ConsoleEntry(
            name: product.map { visit.language.labelled(kind, $0) } ?? kind,
            address: purchase(of: request),
            details: [
                state(of: request, isOnSheet: isOnSheet), activity.tester?.email ?? words.noTester,
                activity.app.rawValue, visit.language.labelled(words.device, request.device.rawValue),
            ],
            note: visit.language.moment(activity.at))
    }

    /// The page of the purchase, for a role that may see it.
    private func purchase(of request: DeviceRequest) -> String? {
        guard request.status == .done, visit.user.role.may(.seeTransactions) else { return nil }
        return request.transactionIdentifier.map(TransactionPage.path)
    }

    private func state(of request: DeviceRequest, isOnSheet: Bool) -> String {
        switch request.status {
        case .open: isOnSheet ? words.onSheet : words.noSheet
        case .processing: words.processing
        case .deferred: words.deferred
        case .interrupted: words.interrupted
        case .done where activity.isRefunded: words.refunded
        case .done where request.transactionIdentifier != nil: activity.isUnfinished ? words.unfinished : words.bought
        case .done: words.done
        case .failed: words.fill(\.failed, ["reason": (request.failure?.message ?? "").isolated])
        default: request.status.rawValue
        }
    }

    private func entry(of listed: ListingNotifications.Listed) -> ConsoleEntry {
        let notification = listed.notification
        let names = EventWords.words(visit.language)
        let deliveries = listed.deliveries.map { delivery in
            let attempts = delivery.attempts.suffix(3).map(\.result.rawValue).joined(separator: ", ")
            let state = visit.language.labelled(delivery.url.isolated, names.name(delivery.state))
            return attempts.isEmpty ? state : "\(state) (\(attempts))"
        }
        let kinds = [notification.kind.type, notification.kind.subtype].filter { !$0.isEmpty }
        let transaction = notification.transaction
        let hasPage = !transaction.rawValue.isEmpty && visit.user.role.may(.seeTransactions)
        return ConsoleEntry(
            name: visit.language.labelled(words.notification, kinds.joined(separator: ", ")),
            address: hasPage ? TransactionPage.path(transaction) : nil,
            details: deliveries + (activity.tester.map { [$0.email] } ?? []) + [activity.app.rawValue],
            note: visit.language.moment(activity.at))
    }
}

extension PageLanguage {
    /// A moment with its seconds: `10 April 2026, 19:00 UTC, 12.5 s`,
    /// `10 avril 2026 à 19:00 (UTC), 12,5 s`.
    func moment(_ at: WallTime) -> String {
        let milliseconds = ((at.milliseconds % 60_000) + 60_000) % 60_000
        let tenths = milliseconds % 1000 / 100
        return "\(date(at)), \(milliseconds / 1000)\(self == .english ? "." : ",")\(tenths) s"
    }
}
