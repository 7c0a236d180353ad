// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import StoreCore
package import StoreDomain

/// Sends the store's requests to addresses that sellers choose: the only place
/// from which the store calls them.
///
/// ``OutboundPolicy`` says to which addresses it connects. Redirects aren't
/// followed, an answer's body is read up to a limit and dropped, and each
/// request has a time limit. `NotificationAddress` checks the text of an
/// address when it is added.
package final class OutboundClient: NotificationSender {
    private let policy: OutboundPolicy
    private let resolver: any NameResolver
    private let timeLimit: TimeAmount
    /// The client of addresses that need no check, and of hosts that are
    /// addresses themselves.
    private let client: PinnedClients.Client
    private let pinned: PinnedClients

    /// The most bytes that are read of an answer.
    package static let answerBytes = 64 << 10
    /// The most connections to an address.
    private static let connections = 16
    /// The most resolved names whose connections are kept for another request.
    private static let names = 100

    /// The destination of a request, after its address was checked.
    private enum Destination {
        case allowed(PinnedClients.Client)
        case refused
    }

    /// `timeLimit` is the longest time of a request, from the look-up of the
    /// name to the end of the answer.
    package init(
        _ policy: OutboundPolicy, resolver: any NameResolver = SystemResolver(),
        timeLimit: Duration = NotificationDelivery.timeLimit
    ) {
        self.policy = policy
        self.resolver = resolver
        let limit = TimeAmount.milliseconds(timeLimit.milliseconds)
        self.timeLimit = limit
        let make: @Sendable ([String: String]) -> HTTPClient = { dnsOverride in
            var configuration = Self.configuration(timeLimit: limit)
            configuration.dnsOverride = dnsOverride
            return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }
        client = PinnedClients.Client(make([:]))
        pinned = PinnedClients(limit: Self.names, make)
    }

    private static func configuration(timeLimit: TimeAmount) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: min(.seconds(5), timeLimit), read: timeLimit)
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.httpVersion = .http1Only
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        configuration.tlsConfiguration = tls
        return configuration
    }

    package func send(
        _ body: String, to url: String, within reach: NotificationReach, for team: String
    ) async throws(CancellationError) -> NotificationResponse {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "OpenStoreKit/\(StoreVersion.current)")
        request.body = .bytes(ByteBuffer(string: body))
        let deadline = NIODeadline.now() + timeLimit
        let policy = reach == .internet ? OutboundPolicy.production : policy
        do {
            guard case .allowed(let client) = try await destination(of: url, for: team, by: policy, until: deadline)
            else {
                return NotificationResponse(.other)
            }
            let response = try await client.http.execute(request, deadline: deadline)
            // The status decides, also when the body is too long.
            try await Self.drop(response.body, until: deadline)
            return NotificationResponse(status: Int(response.status.code))
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            return NotificationResponse(OutboundFailure.result(error))
        }
    }

    /// Resolves and checks the host of a URL.
    private func destination(
        of url: String, for team: String, by policy: OutboundPolicy, until deadline: NIODeadline
    ) async throws -> Destination {
        // The client reads the host in the same way, and connects to the
        // address that is saved for it.
        guard let parts = URL(string: url), let host = parts.host?.withoutBrackets, !host.isEmpty,
            let scheme = OutboundPolicy.Scheme(rawValue: parts.scheme?.lowercased() ?? "")
        else { return .refused }
        guard policy.checksAddresses(of: scheme) else { return .allowed(client) }
        if let address = IPAddress(host) { return policy.allows(scheme, to: address) ? .allowed(client) : .refused }
        let addresses = try await resolver.addresses(of: host, for: team, until: deadline)
        guard let address = policy.choose(addresses, for: scheme) else { return .refused }
        return .allowed(pinned.client(of: host, at: address))
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

extension String {
    /// The host without the brackets of an address of version 6.
    fileprivate var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
