// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import Foundation
package import StoreDomain
import Synchronization

/// A receiver of notifications that keeps their bodies, and answers as a test
/// chooses.
package final class RecordedNotifications: NotificationSender {
    package struct Request: Hashable, Sendable {
        package var url: String
        package var body: String
        package var reach = NotificationReach.environment

        /// The JWS of the body.
        package var payload: String {
            let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: String]
            return object?["signedPayload"] ?? ""
        }

        /// The payload's fields, which aren't verified.
        package var notification: NotificationPayload? {
            try? UnverifiedJWS<NotificationPayload>(parsing: payload).payload
        }

        /// The type and the subtype, such as `DID_RENEW` or `EXPIRED/VOLUNTARY`.
        package var kind: String {
            let payload = notification
            return [payload?.notificationType, payload?.subtype].compactMap(\.self).joined(separator: "/")
        }
    }

    private let received = Mutex<[Request]>([])
    private let answer: @Sendable (Request) async -> NotificationResult

    package init(answer: @escaping @Sendable (Request) async -> NotificationResult = { _ in .success }) {
        self.answer = answer
    }

    package func send(
        _ body: String, to url: String, within reach: NotificationReach, for team: String
    ) async throws(CancellationError) -> NotificationResponse {
        let request = Request(url: url, body: body, reach: reach)
        received.withLock { $0.append(request) }
        let result = await answer(request)
        return NotificationResponse(result, status: result == .unsuccessfulStatus ? 500 : nil)
    }

    /// All requests in their order.
    package var requests: [Request] { received.withLock(\.self) }
    /// The types of all requests in their order.
    package var kinds: [String] { requests.map(\.kind) }
}
