// SPDX-License-Identifier: Apache-2.0

/// The state of a connection's requests and responses, which determines the
/// client's next step.
struct ConnectionPhase {
    private var isReading = false
    /// The number of requests whose responses aren't completely written.
    private(set) var responsesDue = 0
    private var hasServed = false

    /// Whether the head of a response was written since the last request's
    /// head was read.
    private(set) var hasResponded = false

    /// The client's next step; each has a deadline of its own.
    enum Expectation: Equatable {
        case firstHead
        case nextHead
        case body
        /// The rest of a request's body after the response was written; it
        /// isn't used.
        case restOfRefusedBody
        /// No step: the server has to respond.
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
