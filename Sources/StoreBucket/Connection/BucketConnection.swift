// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import StoreDomain

/// Sends signed requests to a bucket, and repeats those that may succeed in a
/// moment.
final class BucketConnection: Sendable {
    let address: BucketAddress
    let endpoint: BucketEndpoint
    private let signer: RequestSigner
    private let clock: WallClock
    private let client: HTTPClient
    private let retries: BucketRetries
    private let count: @Sendable (StoreMeters.BucketResult) -> Void

    /// The most bytes of an answer in XML: 1,000 keys of a kilobyte.
    static let answerBytes = 2 << 20
    /// The time limit for the body of such an answer.
    private static let wholeTime = TimeAmount.seconds(30)
    /// The most connections at a time. A download has one of them.
    private static let connections = 256
    /// A connection on which no byte arrives for this long is broken. The
    /// store's clients take their bytes within half of it.
    private static let silence = TimeAmount.seconds(60)

    init(
        _ address: BucketAddress, _ endpoint: BucketEndpoint, _ signer: RequestSigner, clock: WallClock,
        retries: BucketRetries, count: @escaping @Sendable (StoreMeters.BucketResult) -> Void
    ) {
        self.address = address
        self.endpoint = endpoint
        self.signer = signer
        self.clock = clock
        self.retries = retries
        self.count = count
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: .seconds(10), read: Self.silence)
        // A redirect would need another signature.
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request, and reads the answer's body.
    ///
    /// - Throws: ``BucketFailure``, `CancellationError`.
    func send(_ request: BucketRequest) async throws -> BucketAnswer {
        try await repeating(request) {
            let response = try await self.execute(request)
            let body = request.method == "HEAD" ? nil : try await Self.body(of: response, request.action)
            // The completion of an upload has the status 200 also for an
            // error that came up after its head was sent.
            guard (200..<300).contains(response.status.code), body?.name != "Error" else {
                throw BucketFailure(request, status: Int(response.status.code), body)
            }
            return BucketAnswer(
                bytes: response.headers.first(name: "Content-Length").flatMap { Int64($0) }, body: body)
        }
    }

    /// Sends a request, and returns the answer before its body was read.
    ///
    /// - Throws: ``BucketFailure``, `CancellationError`.
    func open(_ request: BucketRequest) async throws -> HTTPClientResponse {
        try await repeating(request) {
            let response = try await self.execute(request)
            guard (200..<300).contains(response.status.code) else {
                let body = try await Self.body(of: response, request.action)
                throw BucketFailure(request, status: Int(response.status.code), body)
            }
            return response
        }
    }

    /// The address at which an object can be read for some seconds.
    func address(of key: String, seconds: Int64) -> String {
        let request = CanonicalRequest(
            method: "GET", path: path(of: key), query: [], fields: [.init("host", endpoint.host)],
            payload: CanonicalRequest.unsignedPayload)
        let signed = signer.presign(request, at: clock.now(), seconds: seconds)
        return "\(endpoint.text)\(signed.path)?\(signed.queryText)"
    }

    private func path(of key: String?) -> String {
        "/\(address.bucket)\(key.map { "/\($0)" } ?? "")".percentEncoded(keepingSlashes: true)
    }

    /// Repeats a request after errors that pass, after the pauses and within the
    /// time of the retries.
    private func repeating<Answer: Sendable>(
        _ request: BucketRequest, _ attempt: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let end = NIODeadline.now() + retries.total
        for pause in retries.pauses {
            do {
                return try await counting(attempt)
            } catch let failure as BucketFailure where failure.mayRepeat && NIODeadline.now() + pause < end {
                count(.repeated)
                try await Task.sleep(for: .nanoseconds(pause.nanoseconds))
            } catch let failure as BucketFailure {
                throw counted(failure)
            }
        }
        do {
            return try await counting(attempt)
        } catch let failure as BucketFailure {
            throw counted(failure)
        }
    }

    private func counting<Answer: Sendable>(_ attempt: () async throws -> Answer) async throws -> Answer {
        let answer = try await attempt()
        count(.answered)
        return answer
    }

    private func counted(_ failure: BucketFailure) -> BucketFailure {
        count(failure.isMissing ? .answered : .failed)
        return failure
    }

    private func execute(_ request: BucketRequest) async throws -> HTTPClientResponse {
        let canonical = CanonicalRequest(
            method: request.method, path: path(of: request.key), query: request.query,
            fields: request.fields + [.init("host", endpoint.host)], payload: CanonicalRequest.checksum(request.body))
        let signed = signer.sign(canonical, at: clock.now())
        let query = signed.queryText
        var message = HTTPClientRequest(url: "\(endpoint.text)\(signed.path)\(query.isEmpty ? "" : "?\(query)")")
        message.method = HTTPMethod(rawValue: request.method)
        for field in signed.fields { message.headers.add(name: field.name, value: field.value) }
        if !request.body.isEmpty { message.body = .bytes(ByteBuffer(bytes: request.body)) }
        do {
            return try await client.execute(message, timeout: request.timeout)
        } catch {
            throw try Self.failure(error, request.action)
        }
    }

    private static func body(of response: HTTPClientResponse, _ action: String) async throws -> AnswerElement? {
        do {
            let end = NIODeadline.now() + wholeTime
            var body: [UInt8] = []
            for try await part in response.body {
                guard NIODeadline.now() < end else { throw HTTPClientError.deadlineExceeded }
                guard body.count + part.readableBytes <= answerBytes else {
                    throw BucketFailure(action, .wrong("it has more than \(answerBytes) bytes"))
                }
                body += part.readableBytesView
            }
            return body.isEmpty ? nil : try AnswerParser.parse(body)
        } catch let error as AnswerParser.Malformed {
            // An error's status counts without its body.
            guard (200..<300).contains(response.status.code) else { return nil }
            throw BucketFailure(action, .wrong(error.reason))
        } catch let failure as BucketFailure {
            throw failure
        } catch {
            throw try failure(error, action)
        }
    }

    /// The failure of a request without an answer.
    ///
    /// - Throws: `CancellationError` instead when the task was cancelled.
    static func failure(_ error: any Error, _ action: String) throws -> BucketFailure {
        try Task.checkCancellation()
        return BucketFailure(action, .network(BucketNetworkError.text(error)))
    }
}

/// How often and for how long a request to a bucket is repeated.
struct BucketRetries: Sendable {
    /// The pauses between the attempts.
    var pauses: [TimeAmount] = [.milliseconds(250), .seconds(1), .seconds(3)]
    /// No attempt begins later than this after the first one. A device waits
    /// 90 seconds for an answer of the store.
    var total = TimeAmount.seconds(30)
}
