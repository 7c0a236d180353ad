// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Synchronization
import Testing

@testable import StoreAgent

/// A scripted store that hosts content for a queue of apples, and the device
/// that downloads it.
final class ContentStore: Sendable {
    /// A fault of the network or the store while it sends content.
    enum Fault: Sendable {
        /// The connection is lost after a number of bytes.
        case cut(after: Int)
        /// The body ends early, without an error.
        case truncated(after: Int)
        /// A byte of the object is altered.
        case altered(at: Int)
        case refused(StoreFailure)
        /// No byte arrives until ``Hold/release()``.
        case held(Hold)
    }

    /// Keeps a body from arriving.
    final class Hold: Sendable {
        fileprivate let bytes: AsyncThrowingStream<Data, any Error>
        private let end: AsyncThrowingStream<Data, any Error>.Continuation

        init() {
            (bytes, end) = AsyncThrowingStream.makeStream(of: Data.self)
        }

        /// Loses the connection.
        func release() {
            end.finish(throwing: ConnectionFailure(reach: .unanswered, underlying: ScriptedStore.Outage()))
        }
    }

    let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))
    let device: Device
    let disk = FaultyDisk()
    /// The hosted versions, the newest last.
    let versions: Watched<[HostedContent]>
    /// The faults of the next requests, first come first served.
    let faults = Watched<[Fault]>([])

    init(_ contents: HostedContent..., transactions: [TransactionInfo]? = nil) throws {
        device = try Device()
        versions = Watched(contents)
        store.script.change { [self] script in
            script.queue = transactions ?? contents.last.map { [.apple(with: $0)] } ?? []
            script.content = { [weak self] call in try self.map { try $0.answer(call) } ?? contents[0].answer }
            script.part = { [weak self] request in
                guard let self else { throw CancellationError() }
                return try await part(request)
            }
        }
    }

    /// A process of the app, on the faulty disk.
    func process(faults: @escaping @Sendable (String) -> Void = { _ in }) throws -> AppProcess {
        let process = try device.process(store, faults: faults, system: FaultySystem(disk))
        process.observe()
        return process
    }

    private func answer(_ call: ContentCall) throws -> ContentAnswer {
        let hosted = versions.value
        let found = call.version == nil ? hosted.last : hosted.last { $0.version == call.version }
        guard let found else { throw StoreFailure(.contentNotFound, "There is no such content.") }
        return found.answer
    }

    private func part(_ request: ContentRequest) async throws -> ContentPart {
        let fault = faults.change { $0.isEmpty ? nil : $0.removeFirst() }
        guard let hosted = versions.value.first(where: { $0.answer.address == request.address }) else {
            throw StoreFailure(.contentNotFound, "The version was removed.")
        }
        let lost = ConnectionFailure(reach: .unanswered, underlying: ScriptedStore.Outage())
        let range = request.range
        func prefix(_ count: Int) -> Range<Int64> {
            range.lowerBound..<min(range.upperBound, range.lowerBound + Int64(count))
        }
        switch fault {
        case nil:
            return hosted.part(range)
        case .cut(let count):
            return hosted.part(prefix(count), endingWith: lost)
        case .truncated(let count):
            return hosted.part(prefix(count))
        case .altered(let place):
            var bytes = hosted.object
            bytes[place] ^= 0x20
            return ContentPart(
                offset: range.lowerBound, checksum: hosted.checksum,
                bytes: bytes[Int(range.lowerBound)..<Int(range.upperBound)].stream())
        case .refused(let failure):
            throw failure
        case .held(let hold):
            return ContentPart(offset: range.lowerBound, checksum: nil, bytes: hold.bytes)
        }
    }

    /// The device's folder of caches.
    var caches: URL { device.home.appendingPathComponent("caches") }

    /// The names of all files of downloads that aren't complete.
    var partialFiles: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: caches.path)) ?? []).filter { $0.contains(".partial") }
    }

    /// The folders of finished content.
    var contents: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: caches.path)) ?? [])
            .filter { $0.hasSuffix("ContentInfo.plist") && !$0.contains(".partial") }
    }
}

extension AppProcess {
    /// The downloads as they were delivered last, by their identifiers.
    var downloads: [AgentDownload] { updates.value.downloads }

    /// The only download of the only transaction.
    func onlyDownload() throws -> AgentDownload {
        let transaction = try #require(try agent.transactions.first?.transactionIdentifier)
        return try #require(agent.downloads(of: transaction).first)
    }

    /// Waits until a download was delivered in a state.
    @discardableResult
    func download(_ state: AgentDownload.State, times: Int = 1) async -> AgentDownload? {
        let updates = await updates.until { updates in
            updates.downloads.filter { $0.state == state }.count >= times
        }
        return updates.downloads.last { $0.state == state }
    }

    /// Waits for the transaction, and starts its download.
    @discardableResult
    func start() async throws -> AgentDownload {
        if updates.value.transactions(in: .restored).isEmpty { await told(.purchased) }
        let download = try onlyDownload()
        try agent.start([download.id])
        return download
    }
}

extension [AgentUpdate] {
    /// Each update of a download, in order.
    var downloads: [AgentDownload] {
        flatMap { update -> [AgentDownload] in
            if case .downloads(let downloads) = update { downloads } else { [] }
        }
    }
}
