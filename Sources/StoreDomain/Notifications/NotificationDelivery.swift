// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// The delivery of a notification to one address (table
/// `notification_delivery`).
package struct NotificationDelivery: Hashable, Sendable {
    package enum State: String, Sendable {
        /// It waits for its first or its next attempt.
        case due
        /// A test holds it until the next notification of its transaction was
        /// sent (``DeliveryMode/isOutOfOrder``).
        case held
        /// It waits for the listener that takes it.
        case listened
        case delivered
        /// No attempt follows.
        case failed
    }

    /// An attempt, and its result in Apple's words (`sendAttemptResult`).
    package struct Attempt: Hashable, Sendable {
        package var at: WallTime
        package var result: NotificationResult
        /// The HTTP status of an answer that is no success; `nil` for an
        /// attempt of an earlier version.
        package var status: Int?

        init(at: WallTime, result: NotificationResult, status: Int? = nil) {
            self.at = at
            self.result = result
            self.status = status
        }

        init(at: WallTime, _ response: NotificationResponse) {
            self.init(
                at: at, result: response.result, status: response.result == .success ? nil : response.status)
        }
    }

    package var notification: String
    var app: BundleIdentifier
    package var version = NotificationVersion.two
    package var url: String
    var reach = NotificationReach.environment
    package var account: AccountIdentifier?
    var chain: String
    package var state: State
    package var attempts: [Attempt]
    /// When the next attempt is due; `nil` without one.
    package var due: WallTime?
    /// How often the address still receives it.
    var copies: Int64 = 1
    /// How many attempts fail before, without a request, as if the address
    /// answered with the status 500.
    var failures: Int64 = 0

    /// The longest time of an attempt.
    package static let timeLimit = Duration.seconds(10)
    /// How long another process leaves a delivery to the one that has begun an
    /// attempt.
    static let lease = Duration.seconds(30)

    /// The delivery after an attempt.
    func after(_ attempt: Attempt, repeats: Bool) -> NotificationDelivery {
        var next = self
        next.attempts.append(attempt)
        next.due = nil
        next.failures = max(0, failures - 1)
        if attempt.result == .success {
            next.copies = max(0, copies - 1)
            next.state = next.copies > 0 ? .due : .delivered
            next.due = next.copies > 0 ? attempt.at : nil
        } else if repeats, attempts.count < version.pauses.count {
            next.due = attempt.at + version.pauses[attempts.count]
        } else {
            next.state = .failed
        }
        return next
    }

    /// The body of a request.
    struct Message: Hashable, Sendable {
        var version: NotificationVersion
        var payload: String

        /// The JSON to send. A body of version 1 has the shared secret of its
        /// app as `password`; without a secret the field is absent.
        func body(secret: String?) -> String {
            switch version {
            // Base64url and dots need no escapes.
            case .two: return "{\"signedPayload\":\"\(payload)\"}"
            case .one:
                guard let secret else { return payload }
                return "{\"password\":\(JSONValue.string(secret).encoded),\(payload.dropFirst())"
            }
        }
    }

    /// The attempts as the row has them.
    var text: String { Self.text(of: attempts) }

    static func text(of attempts: [Attempt]) -> String {
        attempts.map { attempt in
            "\(attempt.at.milliseconds):\(attempt.result.rawValue)" + (attempt.status.map { ":\($0)" } ?? "")
        }.joined(separator: " ")
    }

    /// The attempts of a row's text.
    static func attempts(_ text: String) -> [Attempt] {
        text.split(separator: " ").compactMap { part in
            let fields = part.split(separator: ":")
            guard (2...3).contains(fields.count), let moment = Int64(fields[0]) else { return nil }
            return Attempt(
                at: WallTime(milliseconds: moment), result: NotificationResult(rawValue: String(fields[1])) ?? .other,
                status: fields.count == 3 ? Int(fields[2]) : nil)
        }
    }
}

/// The result of an attempt to send a notification: `sendAttemptResult` of the
/// App Store Server API.
package enum NotificationResult: String, CaseIterable, Sendable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case tlsIssue = "TLS_ISSUE"
    /// The address answers with a redirect, which the store doesn't follow.
    case circularRedirect = "CIRCULAR_REDIRECT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case invalidResponse = "INVALID_RESPONSE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"

    /// The result of an answer with an HTTP status.
    package init(status: Int) {
        switch status {
        case 200...206: self = .success
        case 300..<400: self = .circularRedirect
        default: self = .unsuccessfulStatus
        }
    }
}

/// Sends notifications to sellers' servers.
package protocol NotificationSender: Sendable {
    /// Posts a body of JSON to an address, in at most
    /// ``NotificationDelivery/timeLimit``, if it is within the reach. `team` is
    /// the one whose share of the look-ups of names it takes.
    ///
    /// - Throws: `CancellationError` when the task was cancelled, and no other
    ///   error.
    func send(
        _ body: String, to url: String, within reach: NotificationReach, for team: String
    ) async throws(CancellationError) -> NotificationResponse
}

extension NotificationSender {
    /// Posts a body of JSON to an address of the environment.
    ///
    /// - Throws: `CancellationError`.
    package func send(_ body: String, to url: String) async throws(CancellationError) -> NotificationResult {
        try await send(body, to: url, within: .environment, for: "").result
    }
}
