// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("Downloads that are interrupted", .timeLimit(.hang))
struct InterruptedDownloadTests {
    /// Advances the clock past the pause before each attempt, until the
    /// download has ended.
    private func ended(_ process: AppProcess, _ store: ContentStore) async throws -> AgentDownload {
        try await until {
            store.device.clock.advance(seconds: 60)
            return [.finished, .failed].contains(process.downloads.last?.state)
        }
        return try #require(process.downloads.last)
    }

    @Test("A download goes on at the byte where the connection was lost")
    func lostConnections() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        let cuts = [10, 40_000, 0, 100_000, 1]
        store.faults.change { $0 = cuts.map { .cut(after: $0) } }
        let process = try store.process()
        try await process.running {
            try await process.start()
            let finished = try await ended(process, store)
            #expect(finished.state == .finished)
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        let starts = store.store.parts.value.map(\.range.lowerBound)
        #expect(starts == [0, 10, 40_010, 40_010, 140_010, 140_011])
        #expect(!process.downloads.contains { $0.state == .failed || $0.state == .waiting })
        #expect(Set(store.store.contents.value.dropFirst().map(\.version)) == ["1.0"])
    }

    @Test("A body that ends early is no end of the download")
    func truncated() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change { $0 = [.truncated(after: 60_000), .truncated(after: 0)] }
        let process = try store.process()
        try await process.running {
            try await process.start()
            let finished = try await ended(process, store)
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        #expect(store.store.parts.value.map(\.range.lowerBound) == [0, 60_000, 60_000])
    }

    @Test("The app and the store are killed at random bytes, and the content is complete in the end")
    func killed() async throws {
        var random = SeededGenerator(seed: 11)
        let content = try HostedContent.larger(seed: 5)
        let store = try ContentStore(content)
        var isFinished = false
        for launch in 0..<40 where !isFinished {
            let process = try store.process()
            let cut = Int(random.next() % 60_000)
            store.faults.change { $0 = launch < 30 ? [.cut(after: cut)] : [] }
            let naps = store.device.clock.naps.value
            try await process.running {
                if launch == 0 { try await process.start() }
                await process.told(.purchased)
                try await until {
                    store.device.clock.naps.value > naps || process.downloads.last?.state == .finished
                }
            }
            isFinished = process.downloads.last?.state == .finished
            // The system releases the presence of a killed process, which removes nothing.
            process.agent.presence.leave()
        }
        #expect(isFinished)
        let process = try store.process()
        let folder = try #require(process.agent.content(of: HostedContent.product))
        #expect(try content.isSame(as: folder))
        try await process.running { try await until { store.partialFiles.isEmpty } }
        // No byte of a file was requested twice: only the head, if it was cut.
        let requested = store.store.parts.value.map(\.range.lowerBound)
        #expect(requested == requested.sorted())
    }

    @Test("A process that ends after it moved the content to its folder loses nothing")
    func killedAtTheEnd() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        let process = try store.process()
        let download = try await process.running {
            await process.told(.purchased)
            return try process.onlyDownload()
        }
        process.agent.presence.leave()
        // The steps of a process up to the point where it is killed.
        let cache = process.agent.cache
        let folder = ContentFolder(url: cache.partial(of: download.id), files: PosixFiles(), earlier: nil)
        var partial = try PartialContent(in: folder, of: content.answer)
        try partial.take(content.object, at: 0)
        _ = try folder.install(content.checksum, into: cache.contents(of: HostedContent.product))

        let next = try store.process()
        try await next.running {
            await next.told(.purchased)
            try await next.start()
            let finished = try #require(await next.download(.finished))
            #expect(try content.isSame(as: try #require(finished.content)))
            try await until { store.partialFiles.isEmpty }
        }
        // The head was on disk, and the files in their folder.
        #expect(store.store.parts.value.isEmpty)
        #expect(store.contents.count == 1)
    }

    @Test("An unreachable store doesn't fail a download, which goes on when the store is back")
    func outage() async throws {
        let content = try HostedContent.small()
        let store = try ContentStore(content)
        let process = try store.process()
        try await process.running {
            await process.told(.purchased)
            store.store.script.change { $0.outage = .notSent }
            try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            for _ in 0..<5 {
                let naps = store.device.clock.naps.value
                store.device.clock.advance(seconds: 60)
                await store.device.clock.naps.until { $0 > naps }
            }
            await process.download(.active)
            #expect(process.downloads.map(\.state) == [.active])
            store.store.script.change { $0.outage = nil }
            #expect(try await ended(process, store).state == .finished)
        }
    }

    @Test("A paused download stops while it waits for the network, and goes on when it is resumed")
    func paused() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        let hold = ContentStore.Hold()
        store.faults.change { $0 = [.cut(after: 70_000), .held(hold)] }
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            store.device.clock.advance(seconds: 1)
            await store.store.parts.until { $0.count == 2 }

            try process.agent.pause([download.id])
            let paused = try #require(await process.download(.paused))
            #expect(paused.progress > 0 && paused.remaining == nil)
            #expect(!store.partialFiles.isEmpty)

            try process.agent.resume([download.id])
            let finished = try await ended(process, store)
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        #expect(store.store.parts.value.map(\.range.lowerBound) == [0, 70_000, 70_000])
        hold.release()
    }

    @Test("A cancelled download leaves no file, and starts anew")
    func cancelled() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change { $0 = [.cut(after: 70_000)] }
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            await store.device.clock.naps.until { $0 == 1 }

            try process.agent.cancel([download.id])
            let cancelled = try #require(await process.download(.cancelled))
            #expect(cancelled.progress == 0)
            try await until { store.partialFiles.isEmpty }

            try process.agent.start([download.id])
            #expect(try await ended(process, store).state == .finished)
        }
        #expect(store.store.parts.value.map(\.range.lowerBound) == [0, 0])
    }

    @Test("A new version leaves a running download alone")
    func newVersionWhileRunning() async throws {
        let old = try HostedContent.larger()
        let new = try HostedContent.larger(version: "2.0", seed: 9)
        let store = try ContentStore(old)
        store.faults.change { $0 = [.cut(after: 70_000)] }
        let process = try store.process()
        try await process.running {
            try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            store.versions.change { $0.append(new) }
            let finished = try await ended(process, store)
            #expect(finished.version == "1.0")
            #expect(try old.isSame(as: try #require(finished.content)))
        }
    }

    @Test("A new version while a download was paused starts it over with the new version")
    func newVersionWhilePaused() async throws {
        let old = try HostedContent.larger()
        let new = try HostedContent.larger(version: "2.0", seed: 9)
        let store = try ContentStore(old)
        store.faults.change { $0 = [.cut(after: 70_000)] }
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            await store.device.clock.naps.until { $0 >= 1 }
            try process.agent.pause([download.id])
            await process.download(.paused)
            store.versions.change { $0.append(new) }

            try process.agent.resume([download.id])

            let finished = try await ended(process, store)
            #expect(finished.version == "2.0" && finished.length == new.length)
            #expect(try new.isSame(as: try #require(finished.content)))
        }
        #expect(store.store.parts.value.map(\.range.lowerBound) == [0, 0])
        #expect(store.contents.count == 1)
    }

    @Test("A version that was removed meanwhile is replaced by the newest")
    func removedVersion() async throws {
        let old = try HostedContent.larger()
        let new = try HostedContent.larger(version: "2.0", seed: 9)
        let store = try ContentStore(old)
        store.faults.change { $0 = [.cut(after: 70_000)] }
        let process = try store.process()
        try await process.running {
            try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            store.versions.change { $0 = [new] }
            let finished = try await ended(process, store)
            #expect(finished.version == "2.0")
            #expect(try new.isSame(as: try #require(finished.content)))
        }
    }

    @Test("A version that is removed before its first byte is replaced by the newest")
    func removedBeforeTheFirstByte() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change { $0 = [.refused(StoreFailure(.contentNotFound, "The version was removed."))] }
        let process = try store.process()
        try await process.running {
            try await process.start()
            #expect(try await ended(process, store).state == .finished)
        }
    }

    @Test("Content that was removed fails the download")
    func removedContent() async throws {
        let store = try ContentStore(try .larger())
        store.faults.change { $0 = [.cut(after: 70_000)] }
        let process = try store.process()
        try await process.running {
            try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            store.versions.change { $0 = [] }
            let failed = try await ended(process, store)
            #expect(failed.failure?.reason == .notAvailable)
        }
        #expect(store.partialFiles.isEmpty)
    }

    @Test("An expired address is asked for again, and the bytes so far are kept")
    func expiredAddress() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change {
            $0 = [.cut(after: 70_000), .refused(StoreFailure(.contentAddressExpired, "An hour is over."))]
        }
        let process = try store.process()
        try await process.running {
            try await process.start()
            #expect(try await ended(process, store).state == .finished)
        }
        #expect(store.store.contents.value.count == 3)
        #expect(store.store.parts.value.map(\.range.lowerBound) == [0, 70_000, 70_000])
    }

    @Test("Bytes that are altered once are transferred again")
    func alteredOnce() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change { $0 = [.altered(at: content.object.count - 3)] }
        let process = try store.process()
        try await process.running {
            try await process.start()
            let finished = try await ended(process, store)
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        #expect(store.store.parts.value.map(\.range.lowerBound) == [0, 0])
    }

    @Test("Bytes that are altered twice fail the download, which leaves no file")
    func alteredTwice() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change { $0 = [.altered(at: 3), .altered(at: Int(content.head.bytes) + 1_000)] }
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            let failed = try await ended(process, store)
            #expect(failed.failure?.reason == .damaged && failed.content == nil && failed.progress == 0)
            #expect(store.partialFiles.isEmpty && store.contents.isEmpty)

            try process.agent.start([download.id])
            await process.download(.finished)
        }
    }

    @Test("A full disk fails the download, keeps its files, and resuming goes on when there is room")
    func fullDisk() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.disk.room = 200_000
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            let failed = try await ended(process, store)
            #expect(failed.failure?.reason == .diskFull && failed.content == nil)
            #expect(!store.partialFiles.isEmpty)
            #expect(store.partialFiles.allSatisfy { !$0.hasSuffix("reserve") })

            try process.agent.resume([download.id])
            await process.download(.failed, times: 2)

            store.disk.room = nil
            try process.agent.resume([download.id])
            await process.download(.finished)
            #expect(try content.isSame(as: try #require(process.agent.content(of: HostedContent.product))))
            try await until { store.partialFiles.isEmpty }
        }
        #expect(store.store.parts.value.last.map { $0.range.lowerBound > 100_000 } == true)
    }

    @Test("A full disk's files can be discarded")
    func fullDiskDiscarded() async throws {
        let store = try ContentStore(try .larger())
        store.disk.room = 200_000
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            _ = try await ended(process, store)
            try process.agent.cancel([download.id])
            await process.download(.cancelled)
            try await until { store.partialFiles.isEmpty }
        }
    }

    @Test("A folder of caches that can't be written fails the download, which starts again later")
    func noPermission() async throws {
        let store = try ContentStore(try .small())
        store.disk.isReadOnly = true
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            #expect(try await ended(process, store).failure?.reason == .notPermitted)
            store.disk.isReadOnly = false
            try process.agent.start([download.id])
            await process.download(.finished)
        }
    }

    @Test("Of two processes one transfers, and the one with the transaction sees the progress and stops it")
    func twoProcesses() async throws {
        let content = try HostedContent.larger()
        let store = try ContentStore(content)
        store.faults.change { $0 = [.cut(after: 70_000)] }
        let transferring = try store.device.process(store.store, system: FaultySystem(store.disk))
        let app = try store.process()
        try await transferring.running {
            // The other process doesn't synchronize.
            let download = try await app.start()
            let active = try #require(await app.download(.active))
            #expect(active.progress >= 0)
            await store.device.clock.naps.until { $0 == 1 }
            try app.agent.pause([download.id])
            await app.download(.paused)
            try app.agent.resume([download.id])
            let finished = try #require(await app.download(.finished))
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        #expect(app.downloads.contains { $0.progress > 0 && $0.progress < 1 })
        #expect(transferring.updates.value.isEmpty)
    }

    @Test("A new observer receives the downloads that have begun")
    func newObserver() async throws {
        let store = try ContentStore(try .small())
        let process = try store.process()
        try await process.running {
            try await process.start()
            await process.download(.finished)
            process.agent.stopObserving()
            let updates = Watched<[AgentUpdate]>([])
            process.agent.observe { news in updates.change { $0 += news } }
            let received = await updates.until { !$0.downloads.isEmpty }
            #expect(received.transactions(in: .purchased).count == 1)
            #expect(received.downloads.map(\.state) == [.finished])
        }
    }
}
