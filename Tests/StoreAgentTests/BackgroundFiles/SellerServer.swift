// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Synchronization

@testable import StoreAgent

/// A seller's server with one file, which is always too busy for a part of its
/// addresses, and a store at the same address that refuses all messages.
final class SellerServer: Sendable {
    struct Script: Sendable {
        var object = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var tag: String? = "\"first\""
        /// The answer to the next requests for the file, instead of the file.
        var answers: [Data] = []
        /// The bytes of the next answer's body, after which it breaks off.
        var breaks: [Int] = []
    }

    private let box: ScriptBox
    let server: StubServer

    init(_ script: Script = Script()) throws {
        let box = ScriptBox(script)
        self.box = box
        server = try StubServer { head in
            guard !head.hasPrefix("GET /busy") else { return StubServer.answer("503 Service Unavailable") }
            guard head.hasPrefix("GET /file") else { return StubServer.answer("404 Not Found") }
            return box.script.withLock { Self.answer(head, &$0) }
        }
    }

    /// Changes the script.
    func change(_ body: (inout Script) -> Void) { box.script.withLock { body(&$0) } }

    var object: Data { box.script.withLock { $0.object } }

    var address: String { server.address.absoluteString + "/file?key=1" }

    /// An address for which the server is too busy.
    var busyAddress: String { server.address.absoluteString + "/busy" }

    /// The requests for the file.
    var requests: [String] { server.requests.filter { $0.hasPrefix("GET /file") }.map { $0.lowercased() } }

    private static func answer(_ head: String, _ script: inout Script) -> Data {
        if !script.answers.isEmpty { return script.answers.removeFirst() }
        let fields = head.lowercased().components(separatedBy: "\r\n")
        let start = fields.first { $0.hasPrefix("range: bytes=") }.flatMap { Int($0.dropFirst(13).dropLast()) }
        let condition = fields.first { $0.hasPrefix("if-range: ") }?.dropFirst(10)
        let isPart = start != nil && condition.map(String.init) == script.tag
        let body = script.object.dropFirst(isPart ? start ?? 0 : 0)
        var answered: [String: String] = [:]
        answered["ETag"] = script.tag
        if isPart, let start {
            answered["Content-Range"] = "bytes \(start)-\(script.object.count - 1)/\(script.object.count)"
        }
        let sent = script.breaks.isEmpty ? body.count : script.breaks.removeFirst()
        return StubServer.answer(
            isPart ? "206 Partial Content" : "200 OK", answered, Data(body.prefix(sent)), length: body.count)
    }
}

/// A class, because a closure can't capture a mutex that isn't a property.
private final class ScriptBox: Sendable {
    let script: Mutex<SellerServer.Script>

    init(_ script: SellerServer.Script) {
        self.script = Mutex(script)
    }
}
