// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import StoreCore
package import StoreDomain

/// Sends the store's requests to addresses that sellers choose: the only place
/// from which the store calls them.
///
/// Redirects aren't followed, an answer's body is read up to a limit and
/// dropped, and each request has a time limit. `NotificationAddress` checks the
/// addresses when they are added: https, or this computer in the sandbox.
package final class OutboundClient: NotificationSender {
    private let client: HTTPClient
    private let timeLimit: TimeAmount

    /// The most bytes that are read of an answer.
    package static let answerBytes = 64 << 10
    /// The most connections to an address.
    private static let connections = 16

    /// `timeLimit` is the longest time of a request, from its connection to the
    /// end of the answer.
    package init(timeLimit: Duration = NotificationDelivery.timeLimit) {
        self.timeLimit = .milliseconds(timeLimit.milliseconds)
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: min(.seconds(5), self.timeLimit), read: self.timeLimit)
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
        configuration.httpVersion = .http1Only
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        configuration.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }

    package func send(_ body: String, to url: String) async throws(CancellationError) -> NotificationResult {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "OpenStoreKit/\(StoreVersion.current)")
        request.body = .bytes(ByteBuffer(string: body))
        let deadline = NIODeadline.now() + timeLimit
        do {
            let response = try await client.execute(request, deadline: deadline)
            // The status decides, also when the body is too long.
            try await Self.drop(response.body, until: deadline)
            return NotificationResult(status: Int(response.status.code))
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            return OutboundFailure.result(error)
        }
    }

    private static func drop(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) async throws {
        var count = 0
        for try await part in body {
            count += part.readableBytes
            guard NIODeadline.now() < deadline else { throw HTTPClientError.deadlineExceeded }
            guard count <= answerBytes else { return }
        }
    }
}
