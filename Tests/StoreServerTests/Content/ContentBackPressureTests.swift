// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreServer
import StoreTestSupport
import Testing

/// The memory of downloads whose clients are slower than the store's disk.
@Suite(.timeLimit(.hang))
struct ContentBackPressureTests {
    /// The most bytes that the kernel holds of a connection: those of the
    /// server's socket, which grow to the third number, and of the client's.
    /// The kernel doubles a size that was set.
    private static let kernel: Int64 = {
        let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_wmem", encoding: .utf8)
        let sizes = text?.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) } ?? []
        return (sizes.count == 3 ? sizes[2] : 4 << 20) + 2 * Int64(HeldDownload.clientBuffer)
    }()
    /// Much more than the kernel holds.
    private static let body = max(64 << 20, 8 * kernel)
    private static let held = 16

    private struct Bought: Sendable {
        var storage: LargeStorage
        var path: String
        var port: Int
    }

    /// Runs a test with a large content that a device has bought.
    private func withBought(_ body: @Sendable @escaping (Bought) async throws -> Void) async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            var large: LargeStorage?
            let store = try await TestStore(
                database,
                storage: { folder in
                    let storage = LargeStorage(folder)
                    large = storage
                    return storage
                })
            let storage = try #require(large)
            try await store.publish(try TestContent())
            try await store.context.database.write { connection in
                _ = try connection.run("UPDATE content_version SET object_bytes = \(Self.body)")
            }
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: try await store.addAccount())
            let call = String(
                decoding: try StoreCoding.encode(ContentCall(transaction: apple.transactionIdentifier)), as: UTF8.self)
            let application = Application(
                router: try buildRouter(store.service),
                configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
            // The client of a live server would wait for the answer for some seconds only.
            try await store.withHTTP { router in
                let response = try await router.post("/device/v1/content", call, headers: phone.headers)
                let answer = try StoreCoding.decode(ContentAnswer.self, from: Data(response.text.utf8))
                #expect(answer.length == Self.body)
                try await application.test(.live) { client in
                    try await body(Bought(storage: storage, path: answer.address, port: try #require(client.port)))
                }
            }
        }
    }

    /// Begins downloads that take nothing, and closes them after the test: an
    /// open one would keep the server from ending.
    private func withHeld(
        _ bought: Bought, _ body: ([HeldDownload]) async throws -> Void
    ) async throws {
        var downloads: [HeldDownload] = []
        do {
            for _ in 0..<Self.held { downloads.append(try await .begin(bought.path, at: bought.port)) }
            try await body(downloads)
        } catch {
            for download in downloads { await download.close() }
            throw error
        }
        for download in downloads { await download.close() }
    }

    @Test("Of a content whose clients take nothing, the store reads as much as the kernel holds, and a few parts")
    func held() async throws {
        try await withBought { bought in
            try await withHeld(bought) { downloads in
                try await until { bought.storage.readers.filter { $0.taken > 0 }.count == Self.held }
                let readers = bought.storage.readers

                // The store has time for the whole content, which another client takes.
                let other = try await HeldDownload.begin(bought.path, at: bought.port)
                do { try await other.take(Self.body) } catch {
                    await other.close()
                    throw error
                }
                await other.close()

                #expect(bought.storage.readers.last?.taken == Self.body)
                let most = Self.kernel + 8 * LargeReader.part
                for reader in readers { #expect(reader.taken <= most) }
                // A client that takes its bytes later gets all of them.
                try await downloads[0].take(Self.body)
                #expect(readers.map(\.taken).max() == Self.body)
                #expect(readers.filter { $0.taken > most }.count == 1)
            }
        }
    }
}
