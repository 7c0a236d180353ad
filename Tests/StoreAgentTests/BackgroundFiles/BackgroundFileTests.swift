// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("Downloads from a seller's own server", .timeLimit(.hang))
struct BackgroundFileTests {
    private let device: Device
    private let seller: SellerServer

    init() throws {
        device = try Device()
        seller = try SellerServer()
    }

    /// A process of the app, whose pauses are short. `paused` is called with
    /// the time of each pause that the agent asks for.
    private func process(
        _ system: any AgentSystem = PosixSystem(), paused: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws -> FileProcess {
        var configuration = device.configuration()
        configuration.caches = device.folder.appendingPathComponent("caches", isDirectory: true)
        // The time stands still: a busy machine doesn't reach a request's time limit.
        let clock = AgentClock(
            now: { 1_700_000_000_000 },
            sleep: {
                paused($0)
                try await Task.sleep(for: min($0, .milliseconds(20)))
            })
        return FileProcess(
            try Agent(
                configuration, connection: try HTTPStoreConnection(seller.server.address),
                presenter: RecordingPresenter(), clock: clock, random: AgentRandom(SystemRandomNumberGenerator()),
                system: system, logger: .silent))
    }

    private func request(
        _ identifier: String = "roses", _ fields: [String: String] = [:], to address: String? = nil
    ) throws -> BackgroundFileRequest {
        try BackgroundFileRequest(
            identifier: identifier, address: address ?? seller.address, fields: fields, timeLimit: .seconds(3600))
    }

    @Test("A file is delivered at each launch until the app acknowledges it, and its files are removed then")
    func delivered() async throws {
        let first = try process()
        let started = try first.agent.start(try request("roses", ["X-Key": "secret"]))
        #expect(started.phase == .running)
        let file = try await first.running { try await $0.file(in: .finished) }
        #expect(try Data(contentsOf: try #require(file.file)) == seller.object)
        #expect(file.received == 100_000 && file.length == 100_000)
        #expect(seller.requests.count == 1 && seller.requests[0].contains("x-key: secret\r\n"))
        first.agent.close()

        let second = try process()
        let again = try await second.running { process in
            let again = try await process.file(in: .finished)
            try process.agent.endBackgroundFile("roses", ifFinished: true)
            return again
        }
        #expect(again.file == file.file)
        second.agent.close()

        let third = try process()
        #expect(try third.agent.backgroundFiles().isEmpty)
        try await third.running { _ in
            try await until {
                try await third.agent.journal.database.read { try BackgroundFile.load($0, in: [.ended]).isEmpty }
            }
        }
        let place = try #require(file.file)
        #expect(!FileManager.default.fileExists(atPath: place.path))
        #expect(seller.requests.count == 1)
    }

    @Test("The list of the device's downloads has each file by its name, without its address, and on one line")
    func listed() throws {
        let process = try process()
        defer { process.agent.close() }
        _ = try process.agent.start(try request("a\trose\n\u{1B}[2J"))
        // The journal of another app has no tables.
        let other = AgentFolder(home: device.home, bundleIdentifier: "com.example.other")
        try other.create()
        _ = try PosixSystem().openJournal(other.journal).read { try $0.rows("SELECT 1") }
        let listing = DeviceDownloads(home: device.home).list()
        let lines = listing.lines
        #expect(listing.failures.count == 1)
        #expect(listing.failures.first?.hasPrefix("The journal of com.example.other can't be read") == true)
        #expect(lines.map(\.file) == ["a\trose\n\u{1B}[2J"] && lines.map(\.productIdentifier) == [nil])
        #expect(lines.map(\.description) == ["\(Device.bundle)\tfile a rose \u{FFFD}[2J\trunning\t0 bytes"])
        let json = String(decoding: try JSONEncoder().encode(lines), as: UTF8.self)
        #expect(!json.contains("127.0.0.1") && !json.contains("productIdentifier"))
    }

    @Test("Two servers that are too busy don't hold up the download from a third one")
    func slots() async throws {
        let process = try process()
        for name in ["lilies", "tulips", "asters"] {
            _ = try process.agent.start(try request(name, to: seller.busyAddress))
        }
        _ = try process.agent.start(try request())
        let file = try await process.running { try await $0.file(in: .finished) }
        #expect(file.identifier == "roses")
        #expect(try process.agent.backgroundFiles().filter { $0.phase == .running }.count == 3)
    }

    @Test("A file that was removed from the caches has failed for the app, and its next start transfers it anew")
    func lost() async throws {
        let first = try process()
        _ = try first.agent.start(try request())
        _ = try await first.running { try await $0.file(in: .finished) }
        first.agent.close()
        try FileManager.default.removeItem(at: device.folder.appendingPathComponent("caches"))

        let second = try process()
        #expect(try second.agent.backgroundFiles().map(\.failure?.reason) == [.lost])
        try await second.running { process in
            let lost = try await process.file(in: .failed)
            #expect(lost.failure?.reason == .lost && lost.file == nil)
            #expect(try process.agent.start(try request()).phase == .running)
            let file = try await process.file(in: .finished)
            #expect(try Data(contentsOf: try #require(file.file)) == seller.object)
            // The app has taken the file, and ends before it acknowledges the download.
            try FileManager.default.removeItem(at: try #require(file.file))
            try process.agent.endBackgroundFile("roses", ifFinished: true)
            #expect(try process.agent.backgroundFiles().isEmpty)
        }
        #expect(seller.requests.count == 2)
    }

    @Test("A transfer goes on whose first answer has no length, and whose other part has one")
    func chunked() async throws {
        let half = Data(seller.object.prefix(40_000))
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"first\"\r\nConnection: close\r\n\r\n"
        seller.change { $0.answers = [Data("\(head)\(String(half.count, radix: 16))\r\n".utf8) + half] }
        let process = try process()
        _ = try process.agent.start(try request())
        let file = try await process.running { try await $0.file(in: .finished) }
        #expect(try Data(contentsOf: try #require(file.file)) == seller.object && file.length == 100_000)
        // The client may lose the last bytes before the connection broke.
        #expect(seller.requests.map { $0.contains("\r\nrange: bytes=") } == [false, true])
    }

    @Test("While the journal can't be written, the seller's server is asked after growing pauses")
    func unwritableJournal() async throws {
        let pauses = Watched<[Duration]>([])
        let process = try process { pause in pauses.change { $0.append(pause) } }
        let file = try process.agent.start(try request())
        try await process.agent.journal.database.write { connection in
            try connection.run(
                """
                CREATE TRIGGER full BEFORE UPDATE ON background_download WHEN NEW.received > 0
                BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var transfer = BackgroundTransfer(file.sequence, by: process.agent.synchronizer)
                try await transfer.run()
            }
            let grown = await pauses.until { $0.count == 6 }
            #expect(grown[5] >= .seconds(8), "\(grown)")
            try await process.agent.journal.database.write { try $0.run("DROP TRIGGER full") }
            try await group.waitForAll()
        }
        #expect(try process.agent.backgroundFiles().map(\.phase) == [.finished])
        process.agent.close()
    }

    @Test("A transfer that was interrupted goes on where it ended, with the entity tag")
    func resumed() async throws {
        seller.change { $0.breaks = [40_000, 10_000] }
        let process = try process()
        _ = try process.agent.start(try request())
        let file = try await process.running { try await $0.file(in: .finished) }
        #expect(try Data(contentsOf: try #require(file.file)) == seller.object)
        #expect(seller.requests.count == 3)
        for request in seller.requests.dropFirst() {
            #expect(request.contains("\r\nrange: bytes=") && request.contains("if-range: \"first\"\r\n"))
        }
    }

    @Test("The next process goes on after the app has ended, and bytes that aren't durable are transferred again")
    func nextLaunch() async throws {
        let half = StubServer.answer(
            "200 OK", ["ETag": "\"first\""], Data(seller.object.prefix(40_000)), length: seller.object.count)
        seller.change {
            $0.answers = [half] + Array(repeating: StubServer.answer("503 Service Unavailable"), count: 10_000)
        }
        let first = try process()
        _ = try first.agent.start(try request())
        try await first.running { process in
            _ = try await process.received(1)
        }
        first.agent.close()
        seller.change { $0.answers = [] }
        let second = try process()
        let file = try #require(try second.agent.backgroundFiles().first)
        #expect(file.phase == .running && file.received > 0)
        let handle = try FileHandle(forWritingTo: BackgroundFolder(file, in: second.agent.cache).partial)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 0, count: 100))
        try handle.close()
        let finished = try await second.running { try await $0.file(in: .finished) }
        #expect(try Data(contentsOf: try #require(finished.file)) == seller.object)
        #expect(seller.requests.last?.contains("\r\nrange: bytes=\(file.received)-\r\n") == true)
    }

    @Test("A file that has changed on the server is transferred anew", arguments: ["\"second\"", "W/\"first\"", nil])
    func changed(tag: String?) async throws {
        seller.change { script in
            let half = script.object
            script.answers = [
                StubServer.answer("200 OK", ["ETag": "\"first\""], Data(half.prefix(40_000)), length: half.count)
            ]
            script.object = Data(half.reversed())
            script.tag = tag
        }
        let process = try process()
        _ = try process.agent.start(try request())
        let file = try await process.running { try await $0.file(in: .finished) }
        #expect(try Data(contentsOf: try #require(file.file)) == seller.object)
        #expect(seller.requests.count == 2)
    }

    @Test("A process that ended after the move to the file's place requests nothing again")
    func killedAfterTheMove() async throws {
        let first = try process()
        _ = try first.agent.start(try request())
        let file = try await first.running { try await $0.file(in: .finished) }
        try await first.agent.journal.database.write { connection in
            try connection.run("UPDATE background_download SET phase = $1", ["running"])
        }
        first.agent.close()
        let second = try process()
        let again = try await second.running { try await $0.file(in: .finished) }
        #expect(again.file == file.file && seller.requests.count == 1)
    }

    @Test("A refusal fails the download, and the next start goes on", arguments: ["404 Not Found", "403 Forbidden"])
    func refused(status: String) async throws {
        seller.change { $0.answers = [StubServer.answer(status)] }
        let process = try process()
        _ = try process.agent.start(try request())
        try await process.running { process in
            let failed = try await process.file(in: .failed)
            #expect(failed.failure?.reason == .refused)
            _ = try process.agent.start(try request())
            _ = try await process.file(in: .finished)
        }
        #expect(seller.requests.count == 2)
    }

    @Test("A server that has too much to do is asked again", arguments: ["503 Service Unavailable", "429 Too Many"])
    func repeated(status: String) async throws {
        seller.change { $0.answers = [StubServer.answer(status, ["Retry-After": "1"])] }
        let process = try process()
        _ = try process.agent.start(try request())
        _ = try await process.running { try await $0.file(in: .finished) }
        #expect(seller.requests.count == 2)
    }

    @Test("A redirect to another origin is followed without the app's fields, one without TLS isn't")
    func redirects() async throws {
        let other = try SellerServer()
        seller.change { $0.answers = [StubServer.answer("302 Found", ["Location": other.address])] }
        let process = try process()
        _ = try process.agent.start(try request("roses", ["X-Key": "secret"]))
        _ = try await process.running { try await $0.file(in: .finished) }
        #expect(other.requests.count == 1 && !other.requests[0].contains("secret"))

        seller.change { $0.answers = [StubServer.answer("302 Found", ["Location": "http://192.0.2.1/file"])] }
        _ = try process.agent.start(try request("tulips"))
        let failed = try await process.running { try await $0.file(in: .failed) }
        #expect(failed.failure?.reason == .redirect)
    }

    @Test("A full disk keeps the bytes, and the download goes on later")
    func fullDisk() async throws {
        let disk = FaultyDisk()
        disk.room = 50_000
        let process = try process(FaultySystem(disk))
        _ = try process.agent.start(try request())
        try await process.running { process in
            let failed = try await process.file(in: .failed)
            #expect(failed.failure?.reason == .diskFull && failed.received > 0)
            disk.room = nil
            _ = try process.agent.start(try request())
            let file = try await process.file(in: .finished)
            #expect(try Data(contentsOf: try #require(file.file)) == seller.object)
        }
    }

    @Test("A pause that the server asks for ends with the time limit")
    func timeLimitOfAPause() async throws {
        let busy = StubServer.answer("503 Service Unavailable", ["Retry-After": "3600"])
        seller.change { $0.answers = [busy] }
        let pauses = Watched<[Duration]>([])
        let process = try process { pause in pauses.change { $0.append(pause) } }
        _ = try process.agent.start(
            try BackgroundFileRequest(
                identifier: "roses", address: seller.address, fields: [:], timeLimit: .seconds(90)))
        try await process.running { _ = try await $0.file(in: .finished) }
        // Without the time limit, the pause has two minutes at least. All other pauses have 30 seconds at most.
        let long = await pauses.until { $0.contains { $0 > .seconds(30) } }.filter { $0 > .seconds(30) }
        #expect(long.count == 1 && long.allSatisfy { $0 <= .seconds(90) })
    }

    @Test("An identifier is of one request, and an app has a limited number of downloads")
    func limits() throws {
        let agent = try process().agent
        let first = try agent.start(try request())
        #expect(try agent.start(try request()).sequence == first.sequence)
        #expect(throws: BackgroundFileFailure.self) { _ = try agent.start(try request("roses", ["X-Key": "1"])) }
        for number in 1..<BackgroundFile.limit { _ = try agent.start(try request("\(number)")) }
        let failure = #expect(throws: BackgroundFileFailure.self) { _ = try agent.start(try request("one more")) }
        #expect(failure?.reason == .tooMany)
        try agent.endBackgroundFile("1", ifFinished: true)
        #expect(try agent.backgroundFiles().count == BackgroundFile.limit)
        try agent.endBackgroundFile("1", ifFinished: false)
        _ = try agent.start(try request("one more"))
    }

    @Test(
        "A request over a limit, without TLS or with a field of the device is refused",
        arguments: [
            ("", "https://seller.example/", [:]), (String(repeating: "a", count: 201), "https://seller.example/", [:]),
            ("a", "http://seller.example/", [:]), ("a", "file:///etc/passwd", [:]), ("a", "https://", [:]),
            ("a", "https://user:password@seller.example/", [:]),
            ("a", "https://seller.example/" + String(repeating: "a", count: 8000), [:]),
            ("a", "https://seller.example/", ["Range": "bytes=0-"]), ("a", "https://seller.example/", ["A B": "1"]),
            ("a", "https://seller.example/", ["A": "1\r\nB: 2"]), ("a", "https://seller.example/", ["A": "ä"]),
            ("a", "https://seller.example/", ["A": String(repeating: "1", count: 16_000)]),
        ] as [(String, String, [String: String])])
    func refusedRequests(identifier: String, address: String, fields: [String: String]) {
        let failure = #expect(throws: BackgroundFileFailure.self) {
            try BackgroundFileRequest(
                identifier: identifier, address: address, fields: fields, timeLimit: .seconds(60))
        }
        #expect(failure?.reason == .request)
    }
}

/// A process of an app that observes its downloads.
private final class FileProcess: Sendable {
    let agent: Agent
    private let files = Watched<[BackgroundFile]>([])

    init(_ agent: Agent) {
        self.agent = agent
        _ = agent.observeBackgroundFiles { [files] news in files.change { $0 += news } }
    }

    func file(in phase: BackgroundFile.Phase) async throws -> BackgroundFile {
        let all = await files.until { $0.contains { $0.phase == phase } }
        return try #require(all.last { $0.phase == phase })
    }

    func received(_ count: Int64) async throws -> BackgroundFile {
        let all = await files.until { $0.contains { $0.received >= count } }
        return try #require(all.first { $0.received >= count })
    }

    @discardableResult
    func running<Result: Sendable>(
        _ body: @Sendable (FileProcess) async throws -> Result
    ) async throws -> Result {
        try await AppProcess(agent).running { try await body(self) }
    }
}
