// SPDX-License-Identifier: Apache-2.0

/// Where a connection is between its requests and its responses, and by when
/// it has to be elsewhere.
struct ConnectionPhase {
    private var isReading = false
    /// Requests whose responses aren't written whole.
    private(set) var responsesDue = 0
    private var hasServed = false

    /// Whether the head of a response was written since the last request's
    /// head was read.
    private(set) var hasResponded = false

    /// What the client has to do next, and in what time.
    enum Expectation: Equatable {
        case firstHead
        case nextHead
        case body
        /// The response is written: the rest of its body is of no use.
        case restOfRefusedBody
        /// Nothing: it is the server's turn.
        case nothing
    }

    var expectation: Expectation {
        if isReading { return responsesDue == 0 ? .restOfRefusedBody : .body }
        guard responsesDue == 0 else { return .nothing }
        return hasServed ? .nextHead : .firstHead
    }

    mutating func readHead() {
        isReading = true
        hasResponded = false
        responsesDue += 1
    }

    mutating func readEnd() {
        isReading = false
    }

    mutating func wroteHead() {
        hasResponded = true
    }

    mutating func wroteEnd() {
        responsesDue = max(0, responsesDue - 1)
        hasServed = true
    }
}
