// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreOutbound
import StoreService

/// The cost of a delivery in addition to its post: the lease and the result are
/// saved, each in a durable transaction.
struct NotificationsRow: Row {
    static let name = "notifications"
    static let summary =
        "deliveries of signed notifications to a server of this machine, saved in a SQLite file, against posts of the "
        + "same body by the same client, 8 at a time"

    private static let count = 1000
    private static let connections = 8

    static func compare() async throws -> Comparison {
        let client = OutboundClient(.sandbox)
        return try await withTemporaryFolder { folder in
            try await withServer(StaticServer(answer: Data()).server) { port in
                let url = "http://127.0.0.1:\(port)\(StaticServer.path)"
                let ordered = try await OrderedNotifications(in: folder, to: url, sender: client)
                return try await Comparison(
                    delivering(ordered),
                    against: Side("posts", operations: count) { try await post(ordered.body, to: url, by: client) })
            }
        }
    }

    /// Only the deliveries are timed, not the ordering.
    private static func delivering(_ ordered: OrderedNotifications) -> Side {
        Side("deliveries", each: count) {
            try await ordered.order(count)
            let duration = try await ContinuousClock().measure {
                guard try await ordered.store.service.settleNotifications(of: "", within: .seconds(60)) else {
                    throw BenchmarkFailure("The notifications weren't sent within a minute.")
                }
            }
            guard try await ordered.count(.delivered) == count else {
                throw BenchmarkFailure("Not all notifications were delivered.")
            }
            return Double(count) / (duration / .seconds(1))
        }.spending(in: ordered.store)
    }

    private static func post(_ body: String, to url: String, by client: OutboundClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<connections {
                group.addTask {
                    for _ in 0..<(count / connections) {
                        guard try await client.send(body, to: url) == .success else {
                            throw BenchmarkFailure("A post wasn't answered with 200.")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The most memory that a store takes while notifications wait for a server
/// that doesn't answer.
struct NotificationMemoryRow: Row {
    static let name = "notification-memory"
    static let summary =
        "the most memory that a store takes in addition while 100,000 notifications are due at a server that doesn't "
        + "answer, against the length of their bodies"

    private static let count = 100_000
    /// Two attempts of each connection time out meanwhile.
    private static let time = Duration.seconds(15)

    static func compare() async throws -> Comparison {
        let client = OutboundClient(.sandbox)
        return try await withTemporaryFolder { folder in
            let ordered = try await withServer(StaticServer(answer: Data()).server) { port in
                try await OrderedNotifications(
                    in: folder, to: "http://127.0.0.1:\(port)\(StaticServer.path)", sender: client)
            }
            let (silent, port) = try LoopbackSocket.listening()
            defer { _ = close(silent) }
            let waiting = OrderedNotifications(ordered, to: "http://127.0.0.1:\(port)/")
            try await waiting.order(count)
            let before = try ResidentMemory.kibibytes("VmRSS")
            try ResidentMemory.forgetPeak()
            guard try await !waiting.store.service.settleNotifications(of: "", within: time) else {
                throw BenchmarkFailure("The notifications were sent to a server that doesn't answer.")
            }
            let taken = try ResidentMemory.kibibytes("VmHWM") - before
            let left = try await waiting.count(.due)
            guard left > count / 2 else { throw BenchmarkFailure("Only \(left) notifications are due.") }
            return Comparison(Double(taken), against: Double(count * waiting.body.utf8.count) / 1024, unit: "KiB")
        }
    }
}
