// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends the requests of commands to stores.
///
/// It isn't `URLSession`, because Foundation's networking needs libcurl, which
/// a binary for other people's machines can't bring with it.
enum ControlClient {
    /// The most bytes of an answer: an exported catalogue is the largest one.
    static let answerBytes = 64 << 20

    /// The process's client, which isn't shut down: its connections end with
    /// the process.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: .seconds(10))
        // The token is sent to the named store only.
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// An answer of any status.
    struct Answer {
        var status: Int
        var body: Data
    }

    /// There is no answer.
    struct Failure: Error {
        /// Whether the store may have got the request.
        var mayHaveArrived: Bool
        var reason: String
    }

    /// Posts a body of JSON with a bearer token, and returns the answer within
    /// `timeout` seconds.
    ///
    /// - Throws: ``Failure``, `CancellationError`.
    static func post(_ body: Data, to url: URL, token: String, timeout: TimeInterval) async throws -> Answer {
        try await send("POST", body, to: url, token: token, timeout: timeout)
    }

    /// Sends a request with a bearer token and a body of JSON or none, and
    /// returns the answer within `timeout` seconds.
    ///
    /// - Throws: ``Failure``, `CancellationError`.
    static func send(
        _ method: String, _ body: Data?, to url: URL, token: String, timeout: TimeInterval
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = HTTPMethod(rawValue: method)
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return try await send(request, timeout: timeout)
    }

    /// Gets a document within `timeout` seconds.
    ///
    /// - Throws: ``Failure``, `CancellationError`.
    static func get(_ url: URL, timeout: TimeInterval = 60) async throws -> Answer {
        try await send(HTTPClientRequest(url: url.absoluteString), timeout: timeout)
    }

    private static func send(_ request: HTTPClientRequest, timeout: TimeInterval) async throws -> Answer {
        do {
            let response = try await client.execute(request, timeout: .milliseconds(Int64(timeout * 1000)))
            let body = try await response.body.collect(upTo: answerBytes)
            return Answer(status: Int(response.status.code), body: Data(body.readableBytesView))
        } catch {
            try Task.checkCancellation()
            throw failure(error)
        }
    }

    private static func failure(_ error: any Error) -> Failure {
        switch error {
        case is NIOConnectionError:
            Failure(mayHaveArrived: false, reason: "\(error)")
        case let error as HTTPClientError where error == .connectTimeout || error == .invalidURL:
            Failure(mayHaveArrived: false, reason: error.shortDescription)
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
            Failure(mayHaveArrived: true, reason: "the time limit is over")
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            Failure(mayHaveArrived: true, reason: "the connection was closed")
        case let error as HTTPClientError:
            Failure(mayHaveArrived: true, reason: error.shortDescription)
        case let error as IOError:
            Failure(mayHaveArrived: true, reason: String(cString: strerror(error.errnoCode)))
        case is NIOTooManyBytesError:
            Failure(mayHaveArrived: true, reason: "the answer has more than \(answerBytes) bytes")
        default:
            Failure(mayHaveArrived: true, reason: "\(error)")
        }
    }
}
