// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import Synchronization

/// A sender that keeps the messages.
package final class RecordedMail: MailSender {
    private struct State {
        var messages: [MailMessage] = []
        var fails = false
        var attempts = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The messages that were sent, in their order.
    package var messages: [MailMessage] { state.withLock { $0.messages } }
    /// The number of attempts to send.
    package var attempts: Int { state.withLock { $0.attempts } }
    /// Whether each attempt fails.
    package var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    package func send(_ message: MailMessage) async throws {
        try state.withLock { state in
            state.attempts += 1
            if state.fails { throw DomainError(.providerUnavailable, "no mail today") }
            state.messages.append(message)
        }
    }

    /// The token of the last link that has a path.
    package func token(_ path: String) -> String? {
        messages.flatMap { $0.body.split(separator: "\n") }.last { $0.contains(path) }?
            .split(separator: "/").last.map(String.init)
    }
}
