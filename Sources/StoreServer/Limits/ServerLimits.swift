// SPDX-License-Identifier: Apache-2.0

/// The limits of a server. `docs/threat-model.md` lists them, except
/// ``reservedHeadDeadline``, and a test compares the values.
package struct ServerLimits: Sendable {
    /// Connections at a time. At the limit, the one whose client the server has
    /// waited for longest is closed in favour of a new one.
    package var connections = 4096
    /// Connections beyond the limit, while all others wait for the server.
    /// They are answered at `/healthz` and `/readyz` only.
    package var reservedConnections = 32
    /// Apps in the event streams at a time: fewer than connections, so that other
    /// requests are still accepted.
    package var streams: Int { connections / 4 * 3 }

    /// The time from the connection to the first request's head.
    package var headDeadline: Duration = .seconds(10)
    /// The time for each request's head on a reserved connection.
    package var reservedHeadDeadline: Duration = .seconds(2)
    /// The time from a request's head to the end of its body.
    package var bodyDeadline: Duration = .seconds(30)
    /// The time from a request's head to the end of its body, for the package
    /// of hosted content that a signed-in user sends. In each
    /// ``bodyDeadline`` of it some bytes have to arrive.
    package var uploadDeadline: Duration = .seconds(2 * 60 * 60)
    /// Packages of hosted content that arrive at a time.
    package var uploads = 8
    /// Packages of hosted content of one team that arrive at a time.
    package var uploadsOfATeam = 2
    /// The time from the last response to the next request's head.
    package var idleDeadline: Duration = .seconds(60)
    /// The time for which a client may leave a response unread.
    package var writeDeadline: Duration = .seconds(30)
    /// The time for which a client may continue to send a body that was
    /// refused.
    package var refusedBodyDeadline: Duration = .seconds(2)
    /// The time from a signal to stop until the connections of open requests
    /// are closed.
    package var stopDeadline: Duration = .seconds(5)

    /// Requests of one connection that wait for their responses (pipelining:
    /// RFC 9112, section 9.3.2).
    package var pipelinedRequests = 16
    /// Bytes of all fields of a request's head.
    package var headBytes = 32 << 10
    /// Fields of a request's head.
    package var headFields = 100
    /// Bytes of all request bodies in memory.
    package var bufferedBytes = 64 << 20
    /// Bytes of the request bodies of one network address in memory.
    package var bufferedBytesOfAnAddress = 16 << 20
    /// Bytes of ``bufferedBytes`` that only network addresses with at most
    /// ``fewBufferedBytes`` take.
    package var reservedBytes = 16 << 20
    package var fewBufferedBytes = 256 << 10

    /// Requests of an app's servers to the App Store Server API in a second;
    /// twice as many are answered without a pause.
    package var serverRequestsPerSecond = 500

    package init() {}
}
