// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
package import StoreAPI

/// A connection to the store over HTTP: `POST /device/v1/…` for messages, and
/// a stream of server-sent events.
package final class HTTPStoreConnection: SharingStoreConnection {
    let address: URL
    let client: HTTPClient

    /// The store writes a comment every 20 seconds, so a stream that is
    /// silent for this long is broken.
    private static let silence = TimeAmount.seconds(60)
    /// The time limit for the head of an answer. The client's deadline covers
    /// only the head, so that it doesn't end a stream of events.
    static let headTime = TimeAmount.seconds(90)
    /// The time limit for a whole answer or event. A large one may take
    /// minutes over a slow network.
    static let wholeTime = TimeAmount.minutes(5)

    /// Makes a connection to a store's address; nothing is sent yet. With
    /// `tlsRoots`, a PEM file, TLS connections trust these roots instead of
    /// the system's.
    ///
    /// - Throws: ``AgentError`` with the code `configuration` when that file
    ///   can't be read.
    package init(_ address: URL, tlsRoots: URL? = nil) throws {
        self.address = address
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: .seconds(10), read: Self.silence)
        // Credentials are sent only to the configured store.
        configuration.redirectConfiguration = .disallow
        // The agent repeats requests itself: a payment that can't be sent
        // must fail immediately.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        if let tlsRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            do {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(tlsRoots.path))
            } catch {
                throw AgentError(
                    .configuration,
                    "STOREKIT_TLS_ROOTS, \(tlsRoots.path), is no PEM file of certificates (\(error)). Name another.")
            }
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends one message and returns the encoded answer.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`, `CancellationError`.
    package func send(_ message: StoreMessage) async throws -> Data {
        var request = HTTPClientRequest(url: url(message.path.rawValue).absoluteString)
        request.method = .POST
        request.headers.add(name: "Authorization", value: message.credentials.authorization)
        request.headers.add(name: "Content-Type", value: "application/json")
        let body = SendTrackingBody(message.body)
        request.body = .stream(body, length: .known(Int64(message.body.count)))
        do {
            let response = try await client.execute(request, timeout: Self.headTime)
            guard response.status == .ok else { throw try await failure(response) }
            return try await Self.body(of: response, limit: AnswerBody.limit(of: message.path))
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw ConnectionFailure.network(error, sent: body.wasAskedFor, to: address.absoluteString)
        }
    }

    /// Opens one stream of the events of some apps.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`, `CancellationError`.
    package func events(
        _ call: EventsCall, as credentials: DeviceCredentials
    ) async throws -> AsyncThrowingStream<AppEvent, any Error> {
        var request = HTTPClientRequest(url: url(StorePath.events.rawValue).absoluteString)
        request.method = .POST
        request.headers.add(name: "Authorization", value: credentials.authorization)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept", value: "text/event-stream")
        request.body = .bytes(ByteBuffer(bytes: try StoreCoding.encode(call)))
        do {
            let response = try await client.execute(request, timeout: Self.headTime)
            guard response.status == .ok else { throw try await failure(response) }
            let reader = EventReader(response.body, address: address.absoluteString)
            return AsyncThrowingStream { try await reader.next() }
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw ConnectionFailure.network(error, sent: true, to: address.absoluteString)
        }
    }

    private func url(_ name: String) -> URL {
        address.appendingPathComponent(String(StorePath.folder.dropFirst()) + "/" + name)
    }

    private static func body(of response: HTTPClientResponse, limit: Int) async throws -> Data {
        let deadline = NIODeadline.now() + wholeTime
        do {
            return try await AnswerBody.read(
                response.body.map { $0.readableBytesView }, limit: limit, isLate: { NIODeadline.now() > deadline })
        } catch is LateAnswer {
            throw HTTPClientError.deadlineExceeded
        }
    }

    /// Reads the refusal in a response.
    func failure(_ response: HTTPClientResponse) async throws -> StoreFailure {
        let answer = try await Self.body(of: response, limit: AnswerBody.smallLimit)
        if let body = try? StoreCoding.decode(StoreFailureBody.self, from: answer) { return body.error.printable }
        return StoreFailure(
            .unreadableAnswer,
            """
            \(address.absoluteString) answers with status \(response.status.code), and not as a store does. Is \
            STOREKIT_STORE_URL right?
            """,
            // A proxy in front of a store that has too much to do sends it.
            retryAfter: response.headers.first(name: "Retry-After").flatMap(RetryAfter.seconds(inHeader:)))
    }
}
