// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import Testing

@testable import StoreAgent

@Suite("The states of a download")
struct DownloadStateTests {
    private let offer = ContentOffer(product: "apple", version: "2.0", length: 200, files: 3)
    private let failure = DownloadFailure(.diskFull, "No room.")

    /// A download in a phase, with everything that it may have there.
    private func download(_ phase: Download.Phase, isClosed: Bool = false) -> Download {
        var download = Download(ContentOffer(product: "apple", version: "1.0", length: 100, files: 2), of: "1")
        download.phase = phase
        download.isClosed = isClosed
        if phase != .offered { download.turn = 7 }
        if [.active, .paused, .failed].contains(phase) {
            download.received = 40
            download.checksum = "c"
            download.hasPartial = true
        }
        if phase == .failed { download.failure = failure }
        if phase == .active { download.remaining = 3_000 }
        if phase == .finished {
            download.received = 100
            download.folder = "f"
        }
        return download
    }

    private func phase(after input: Download.Input, in phase: Download.Phase) -> Download.Phase {
        var download = download(phase)
        download.handle(input)
        return download.phase
    }

    /// The next phase of each action, in the order offered, queued, active,
    /// paused, finished, failed, cancelled.
    private static let actions: [(Download.Input, [Download.Phase])] = [
        (
            .start(turn: 9, hasContent: true),
            [.queued, .queued, .active, .queued, .finished, .queued, .queued]
        ),
        (
            .start(turn: 9, hasContent: false),
            [.queued, .queued, .active, .queued, .queued, .queued, .queued]
        ),
        (.pause, [.offered, .paused, .paused, .paused, .finished, .failed, .cancelled]),
        (.resume(turn: 9), [.offered, .queued, .active, .queued, .finished, .queued, .cancelled]),
        (.cancel, [.cancelled, .cancelled, .cancelled, .cancelled, .finished, .cancelled, .cancelled]),
        (.closed, [.cancelled, .cancelled, .cancelled, .cancelled, .finished, .cancelled, .cancelled]),
        (.begin, [.offered, .active, .active, .paused, .finished, .failed, .cancelled]),
        (
            .opened(version: "2.0", length: 50, checksum: "d"),
            [.offered, .queued, .active, .paused, .finished, .failed, .cancelled]
        ),
        (
            .progress(received: 60, remaining: 1),
            [.offered, .queued, .active, .paused, .finished, .failed, .cancelled]
        ),
        (
            .failed(DownloadFailure(.refused, "No."), keepsPartial: true),
            [.offered, .queued, .failed, .paused, .finished, .failed, .cancelled]
        ),
        (
            .finished(folder: "g"),
            [.offered, .finished, .finished, .finished, .finished, .failed, .cancelled]
        ),
        (.removedPartial, [.offered, .queued, .active, .paused, .finished, .failed, .cancelled]),
        (
            .offered(ContentOffer(product: "apple", version: "2.0", length: 200, files: 3)),
            [.offered, .queued, .active, .paused, .finished, .failed, .cancelled]
        ),
    ]

    @Test("Each action in each state leads to its next state")
    func phases() {
        for (input, expected) in Self.actions {
            #expect(Download.Phase.allCases.map { phase(after: input, in: $0) } == expected, "\(input)")
        }
    }

    @Test("The same action a second time changes nothing", arguments: Download.Phase.allCases)
    func repeated(_ phase: Download.Phase) {
        for (input, _) in Self.actions {
            var once = download(phase)
            once.handle(input)
            var twice = once
            twice.handle(input)
            #expect(twice == once, "\(input)")
        }
    }

    @Test("Nothing starts a download whose transaction is finished", arguments: Download.Phase.allCases)
    func closed(_ phase: Download.Phase) {
        for input in [Download.Input.start(turn: 9, hasContent: false), .resume(turn: 9)] {
            var download = download(phase)
            download.handle(.closed)
            let before = download.phase
            download.handle(input)
            #expect(download.phase == before)
        }
    }

    @Test("An offer replaces the values of a download that the app hasn't started, and of no other")
    func offers() {
        for phase in Download.Phase.allCases {
            var download = download(phase)
            download.handle(.offered(offer))
            #expect(download.version == (phase == .offered ? "2.0" : "1.0"))
            #expect(download.length == (phase == .offered ? 200 : 100))
        }
    }

    @Test("A download that the end of its transaction cancelled is offered again with the transaction")
    func offeredAgain() {
        var download = download(.active)
        download.handle(.closed)
        #expect(download.isClosed && download.phase == .cancelled)

        download.handle(.offered(offer))

        #expect(!download.isClosed && download.phase == .offered && download.version == "2.0")
    }

    @Test("Pausing and resuming keep the progress, and resuming asks for the newest version")
    func paused() {
        var download = download(.active)
        download.handle(.pause)
        #expect(download.received == 40 && download.remaining == nil && download.checksum == "c")

        download.handle(.resume(turn: 9))

        #expect(download.received == 40 && download.checksum == nil && download.turn == 9 && download.hasPartial)
    }

    @Test("A cancelled download has no progress, and leaves files to remove")
    func cancelled() {
        var download = download(.failed)
        download.handle(.cancel)
        #expect(download.received == 0 && download.failure == nil && download.checksum == nil)
        #expect(download.hasRemains)

        download.handle(.removedPartial)

        #expect(!download.hasRemains && !download.hasPartial)
    }

    @Test("A failed download keeps its progress with its files, and none without")
    func failed() {
        var kept = download(.active)
        kept.handle(.failed(failure, keepsPartial: true))
        #expect(kept.received == 40 && kept.hasPartial && kept.failure == failure && kept.remaining == nil)
        kept.handle(.start(turn: 9, hasContent: false))
        #expect(kept.failure == nil && kept.received == 40)

        var lost = download(.active)
        lost.handle(.failed(failure, keepsPartial: false))
        #expect(lost.received == 0 && !lost.hasPartial && lost.checksum == nil)
    }

    @Test("Another version starts over, and the progress is never more than the length")
    func versions() {
        var download = download(.active)
        download.handle(.opened(version: "1.0", length: 30, checksum: "d"))
        #expect(download.length == 30 && download.received == 30)
        download.handle(.progress(received: 31, remaining: nil))
        #expect(download.received == 30)

        download.handle(.opened(version: "2.0", length: 90, checksum: "e"))
        #expect(download.version == "2.0" && download.length == 90 && download.received == 0)
    }

    @Test("A finished download that is started again without its content begins at zero")
    func again() {
        var download = download(.finished)
        download.handle(.start(turn: 9, hasContent: false))
        #expect(download.received == 0 && download.folder == nil)
    }

    @Test("Two downloads at a time get a turn: those that have begun, then the first that were started")
    func turns() {
        func download(_ product: String, _ phase: Download.Phase, turn: Int64) -> Download {
            var download = Download(ContentOffer(product: product, version: "1", length: 1, files: 2), of: product)
            download.phase = phase
            download.turn = turn
            return download
        }
        let started = [
            download("a", .queued, turn: 3), download("b", .queued, turn: 1), download("c", .active, turn: 9),
            download("d", .queued, turn: 2),
        ]

        #expect(DownloadTurns.choose(started).map(\.product) == ["c", "b"])
        #expect(DownloadTurns.choose([]).isEmpty)
    }

    @Test("Two downloads of one product don't run at the same time")
    func oneOfAProduct() {
        var downloads = (1...3).map { number in
            var download = Download(offer, of: "\(number)")
            download.phase = .queued
            download.turn = Int64(number)
            return download
        }
        downloads[2].phase = .active

        #expect(DownloadTurns.choose(downloads).map(\.transaction) == ["3"])
    }
}
