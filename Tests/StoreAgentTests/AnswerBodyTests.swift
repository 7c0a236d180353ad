// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("How much of an answer is read", .timeLimit(.hang))
struct AnswerBodyTests {
    private func parts(_ parts: [[UInt8]]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for part in parts { continuation.yield(part) }
            continuation.finish()
        }
    }

    @Test("The parts of an answer are joined") func partsAreJoined() async throws {
        let data = try await AnswerBody.read(parts([[0x7B], [], [0x7D]]), limit: 2, isLate: { false })
        #expect(data == Data("{}".utf8))
    }

    @Test("A body over its limit is refused before its end") func bodyOverItsLimitIsRefusedBeforeItsEnd() async {
        let endless = AsyncStream<[UInt8]>(unfolding: { [UInt8](repeating: 0x20, count: 100) })
        await #expect(throws: StoreFailure(.unreadableAnswer, "")) {
            try await AnswerBody.read(endless, limit: 1000, isLate: { false })
        }
    }

    @Test("A body that comes byte by byte fails at its deadline")
    func bodyThatComesByteByByteEndsAtItsDeadline() async {
        let read = Watched(0)
        let slow = AsyncStream<[UInt8]>(unfolding: {
            read.change { $0 += 1 }
            return [0x20]
        })
        await #expect(throws: LateAnswer.self) {
            try await AnswerBody.read(slow, limit: 1000, isLate: { read.value > 90 })
        }
    }

    @Test("JSON with too many values is refused before it is decoded") func jsonOfTooManyValuesIsNotDecoded() throws {
        try JSONSize.check(Data("[\(String(repeating: "1,", count: 1000))1]".utf8))
        let large = String(repeating: "1,", count: JSONSize.limit)
        #expect(throws: StoreFailure(.unreadableAnswer, "")) { try JSONSize.check(Data("[\(large)1]".utf8)) }
        #expect(throws: StoreFailure(.unreadableAnswer, "")) { try JSONSize.check("[\(large)1]".utf8) }
    }

    @Test("An event that is too long, or has too many lines, is refused") func eventWithoutAnEndIsRefused() throws {
        var parser = ServerSentEventParser()
        let line = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(throws: StoreFailure(.unreadableAnswer, "")) {
            for _ in 0...ServerSentEventParser.limit >> 20 { _ = try parser.frames(line) }
        }
        var lines = ServerSentEventParser()
        let data = Array(String(repeating: "data:\n", count: ServerSentEventParser.lineLimit + 1).utf8)
        #expect(throws: StoreFailure(.unreadableAnswer, "")) { try lines.frames(data) }
    }

    @Test("A parser keeps no comments") func commentsWithoutEndTakeNoMemory() throws {
        var parser = ServerSentEventParser()
        for _ in 0..<10_000 { #expect(try parser.frames(": still here\n\n".utf8).isEmpty) }
        #expect(!parser.isInEvent)
    }
}
