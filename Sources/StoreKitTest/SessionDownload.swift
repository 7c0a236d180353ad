// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore

/// The bytes of one request for content, with the session's bandwidth and one
/// of its failures.
final class SessionDownload: @unchecked Sendable {  // because a stream has one consumer
    /// The most bytes that arrive at one time.
    private static let largestPart = 1 << 20
    /// The pause until more bytes arrive.
    private static let pause = Duration.milliseconds(250)

    private var bytes: AsyncThrowingStream<Data, any Error>.Iterator
    /// Bytes that were read and haven't arrived yet.
    private var waiting = Data()
    private var arrived = 0
    private let began: Int64
    /// The bytes until the connection is lost.
    private var untilCut: Int?
    private var altersNextByte: Bool
    private let clock: AgentClock
    private let settings: @Sendable () -> SessionSettings

    init(
        _ part: ContentPart, _ failure: SKTestSession.ContentFailure?, clock: AgentClock,
        settings: @escaping @Sendable () -> SessionSettings
    ) {
        bytes = part.bytes.makeAsyncIterator()
        began = clock.now
        if case .cut(let count) = failure { untilCut = max(0, count) }
        altersNextByte = failure == .wrongBytes
        self.clock = clock
        self.settings = settings
    }

    /// The next bytes; `nil` at the end.
    func next() async throws -> Data? {
        let count = min(try await allowance(), untilCut ?? .max)
        guard count > 0 else { throw Self.lost }
        while waiting.count < count, let more = try await bytes.next() { waiting.append(more) }
        var part = Data(waiting.prefix(count))
        guard let first = part.first else { return nil }
        waiting = Data(waiting.dropFirst(part.count))
        arrived += part.count
        untilCut = untilCut.map { $0 - part.count }
        if altersNextByte { part[0] = ~first }
        altersNextByte = false
        return part
    }

    /// Waits until the bandwidth allows bytes, and returns their number.
    private func allowance() async throws -> Int {
        while let bandwidth = settings().contentBandwidth {
            let allowed = Double(bandwidth) * Double(clock.now - began) / 1000 - Double(arrived)
            if allowed >= 1 { return Int(min(allowed, Double(Self.largestPart))) }
            try await clock.sleep(for: Self.pause)
        }
        return Self.largestPart
    }

    private static let lost = ConnectionFailure(
        reach: .unanswered,
        underlying: PurchaseFailure.Underlying(
            domain: NSURLErrorDomain, code: URLError.Code.networkConnectionLost.rawValue,
            message: "The session has cut the connection."))
}
