// SPDX-License-Identifier: Apache-2.0

/// How much a server takes from outside. `docs/threat-model.md` lists these
/// values, and a test compares the two.
package struct ServerLimits: Sendable {
    /// Connections at a time. At the limit, the one whose client the server has
    /// waited for longest is closed in favour of a new one.
    package var connections = 4096
    /// Connections beyond the limit, when all others wait for the server: they are answered at `/healthz` and `/readyz` only.
    package var reservedConnections = 32
    /// Event streams at a time, so that other requests have connections left.
    package var streams: Int { connections / 4 * 3 }

    /// The time for the first request's head, from the connection on.
    package var headDeadline: Duration = .seconds(10)
    /// The same for a reserved connection.
    package var reservedHeadDeadline: Duration = .seconds(2)
    /// The time for a request's body, from its head on.
    package var bodyDeadline: Duration = .seconds(30)
    /// The time for the next request's head, from the last response on.
    package var idleDeadline: Duration = .seconds(60)
    /// How long a client may leave unread what the server has written.
    package var writeDeadline: Duration = .seconds(30)
    /// How long a client may go on sending a body that was refused.
    package var refusedBodyDeadline: Duration = .seconds(2)
    /// The time for requests under way, from a signal to stop on.
    package var stopDeadline: Duration = .seconds(5)

    /// Requests of a connection that wait for their responses at a time (RFC 9112, section 9.3.2, pipelining).
    package var pipelinedRequests = 16
    /// Bytes of all fields of a request's head together.
    package var headBytes = 32 << 10
    /// Fields of a request's head.
    package var headFields = 100
    /// Bytes of all request bodies that are in memory together.
    package var bufferedBytes = 64 << 20
    /// Bytes of them that one network address may have there.
    package var bufferedBytesOfAnAddress = 16 << 20

    package init() {}
}
