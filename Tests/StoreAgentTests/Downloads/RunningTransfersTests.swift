// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("The transfers that are running", .timeLimit(.hang))
struct RunningTransfersTests {
    private let transfers = RunningTransfers()
    private let stopped = Watched<[String]>([])

    /// Runs a transfer that ends only when it is stopped.
    private func run(_ name: String) async throws {
        let (bytes, end) = AsyncStream.makeStream(of: Void.self)
        try await transfers.run(name) { [stopped] in
            for await _ in bytes {}
            stopped.change { $0.append(name) }
        }
        end.finish()
    }

    @Test("Only transfers that ran when the journal was read are stopped")
    func begunSince() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run("first") }
            group.addTask { try await run("second") }
            try await until { transfers.runs.count == 2 }
            let running = transfers.runs
            group.addTask { try await run("third") }
            try await until { transfers.runs.count == 3 }

            transfers.stop(running, allBut: ["second"])

            try await until { transfers.runs.count == 2 }
            #expect(transfers.runs.map(\.name).sorted() == ["second", "third"])
            transfers.stop(transfers.runs, allBut: [])
            try await group.waitForAll()
        }
        #expect(Set(stopped.value) == ["first", "second", "third"])
    }

    @Test("A transfer of the same name that has begun since then goes on")
    func begunAgain() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run("first") }
            try await until { transfers.runs.count == 1 }
            let running = transfers.runs
            transfers.stop(running, allBut: [])
            try await group.next()
            stopped.change { $0 = [] }
            group.addTask { try await run("first") }
            try await until { transfers.runs.count == 1 }

            transfers.stop(running, allBut: [])

            #expect(transfers.runs.count == 1 && stopped.value.isEmpty)
            transfers.stop(transfers.runs, allBut: [])
            try await group.waitForAll()
        }
    }

    @Test("A download that begins while the journal is read isn't transferred twice")
    func wakeUps() async throws {
        for _ in 0..<20 {
            let content = try HostedContent.small()
            let store = try ContentStore(content)
            let process = try store.process()
            try await process.running {
                await process.told(.purchased)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask {
                        while !Task.isCancelled {
                            process.agent.synchronizer.changed()
                            await Task.yield()
                        }
                    }
                    try await process.start()
                    await process.download(.finished)
                }
            }
            try #require(store.store.contents.value.count == 1)
        }
    }
}
