// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension Control {
    /// Takes the next notifications, instead of an address that receives them.
    package struct ListenCall: Codable, Sendable {
        /// 16 bytes in lower-case hexadecimal, which the caller has drawn.
        package var listener: String
        /// The app; all apps when absent. It stays the same for a listener.
        package var bundle: String?
        /// The notifications of earlier answers, which the caller has handled.
        package var taken: [TakenNotification]?
        /// How long to wait for a notification, in milliseconds, from 0 to
        /// 10000; 5000 when absent. Clients often end a request after 15 seconds.
        package var limit: Int?
        /// The version of the notifications, 1 or 2; 2 when absent.
        package var version: Int?

        package init(
            listener: String, bundle: String? = nil, taken: [TakenNotification] = [], version: Int? = nil
        ) {
            self.listener = listener
            self.bundle = bundle
            self.taken = taken
            self.version = version
        }
    }

    /// A notification that a listener has handled.
    package struct TakenNotification: Codable, Sendable {
        package var notification: String
        /// `sendAttemptResult` of its forwarding; `SUCCESS` when absent.
        package var result: String?

        package init(notification: String, result: String? = nil) {
            self.notification = notification
            self.result = result
        }
    }

    /// Ends a listener.
    package struct StopListeningCall: Codable, Sendable {
        package var listener: String
        package var bundle: String?

        package init(listener: String, bundle: String? = nil) {
            self.listener = listener
            self.bundle = bundle
        }
    }

    package struct StopListeningAnswer: Codable, Sendable {}
}

extension StoreService {
    /// How often a listener's call looks for notifications.
    private static let listeningPause: Duration = .milliseconds(100)
    /// The most results of a call.
    private static let mostTaken = 100

    /// Carries out the calls of listeners.
    func controlListening(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let listening = ListeningToNotifications(context)
        guard verb == .listen else {
            let call = try decode(Control.StopListeningCall.self, from: body, of: verb.rawValue)
            try await listening.end(
                try NotificationListener(call.listener, of: BundleIdentifier(call.bundle ?? "")))
            return try encode(Control.StopListeningAnswer())
        }
        let call = try decode(Control.ListenCall.self, from: body, of: verb.rawValue)
        let listener = try NotificationListener(
            call.listener, of: BundleIdentifier(call.bundle ?? ""), version: Self.version(call.version) ?? .two)
        let limit = call.limit ?? 5000
        guard (0...10_000).contains(limit) else {
            throw DomainError(.invalid, "The limit is a number of milliseconds from 0 to 10000.")
        }
        let taken = try Self.taken(call.taken ?? [])
        // A new listener gets no notification of an earlier change.
        if taken.isEmpty { await signNotifications() }
        try await listening.goOn(listener, confirming: taken)
        let end = now + .milliseconds(limit)
        while true {
            let waiting = try await listening.waiting(for: listener)
            guard waiting.isEmpty, now < end else {
                return try encode(
                    Control.NotificationsAnswer(notifications: waiting.map(Control.NotificationAnswer.init)))
            }
            try await clock.sleep(now + Self.listeningPause)
        }
    }

    private static func taken(_ list: [Control.TakenNotification]) throws -> [NotificationListener.Taken] {
        guard list.count <= mostTaken else {
            throw DomainError(.invalid, "A call has at most \(mostTaken) notifications that were taken.")
        }
        return try list.map { item in
            let name = item.result ?? NotificationResult.success.rawValue
            guard let result = NotificationResult(rawValue: name) else {
                throw DomainError(.invalid, "There is no sendAttemptResult \"\(name.prefix(64))\".")
            }
            return .init(notification: item.notification, result: result)
        }
    }
}
