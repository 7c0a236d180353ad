// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import Testing

@testable import StoreAgent

struct ServerSentEventTests {
    private let text =
        ": open\n\nevent: removed\ndata: {\"a\":1}\r\n\r\n: alive\n\nid: 7\nevent:position\ndata:{}\n\nid: x\ndata: {}\n\n"

    private let frames = [
        StoreEventFrame(name: "removed", data: "{\"a\":1}"), StoreEventFrame(name: "position", data: "{}", place: 7),
        StoreEventFrame(name: "", data: "{}"),
    ]

    @Test("The frames don't depend on how the bytes are cut", arguments: [1, 2, 3, 7, 1000])
    func framesDoNotDependOnHowTheBytesAreCut(_ size: Int) throws {
        var parser = ServerSentEventParser()
        let bytes = Array(text.utf8)
        var read: [StoreEventFrame] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            read += try parser.frames(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(read == frames)
    }

    @Test("An event joins its lines of data") func dataOfSeveralLinesIsJoined() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.frames("data: a\rdata: b\r\r".utf8) == [StoreEventFrame(name: "", data: "a\nb")])
    }

    @Test("An event without its empty last line gives no frame") func eventWithoutItsEndIsNotAnEvent() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.frames("event: position\ndata: {}\n".utf8).isEmpty)
    }
}
