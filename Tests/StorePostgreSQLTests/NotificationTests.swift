// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StorePostgreSQL
import StoreTestSupport
import Synchronization
import Testing

/// The notifications between the nodes of a store.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"), .timeLimit(.hang))
struct NotificationTests {
    /// A process with a channel: texts to send, and those that it received.
    private final class Node: Sendable {
        let channel: PostgreSQLNotifications
        private let sending = Mutex<[String]>([])
        private let received = Mutex<[String]>([])

        init(_ url: String) throws {
            channel = try PostgreSQLNotifications(url: url)
            channel.open(
                next: { [self] in sending.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
                received: { [self] text in received.withLock { $0.append(text) } })
        }

        var texts: [String] { received.withLock { $0 } }

        func send(_ text: String) {
            sending.withLock { $0.append(text) }
            channel.wake()
        }
    }

    private func withNodes(_ body: (Node, Node, String) async throws -> Void) async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let (first, second) = (try Node(url), try Node(url))
        defer {
            first.channel.close()
            second.channel.close()
        }
        try await listening(2, url)
        try await body(first, second, url)
    }

    /// Waits until a number of connections listen. A channel connects on a
    /// thread of its own, and PostgreSQL passes a text only to connections
    /// that have listened before it was sent. `SELECT 1` is the statement by
    /// which a channel that listens asks whether the server still answers.
    private func listening(_ count: Int, _ url: String) async throws {
        try await until {
            try TestCluster.number(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND (query LIKE 'LISTEN %' OR query = 'SELECT 1')
                    AND state = 'idle'
                """, at: url) == count
        }
    }

    @Test("A text reaches the other process, and not its sender")
    func text() async throws {
        try await withNodes { first, second, _ in
            first.send("hello")
            try await until { second.texts == ["hello"] }
            second.send("good bye")
            try await until { first.texts == ["good bye"] }
            #expect(second.texts == ["hello"])
        }
    }

    @Test("The longest text is carried")
    func longest() async throws {
        try await withNodes { first, second, _ in
            let text = String(repeating: "x", count: NotificationLimits.bytes)
            first.send(text)
            try await until { second.texts == [text] }
        }
    }

    @Test("A channel whose connection was ended connects again")
    func reconnecting() async throws {
        try await withNodes { first, second, url in
            try TestCluster.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """, at: url)
            // A text that is sent over the dying connection is lost.
            try await until {
                first.send("again")
                return second.texts.contains("again")
            }
        }
    }
}
