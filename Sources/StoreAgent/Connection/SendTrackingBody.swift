// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Synchronization

/// A message's body that records whether the client has read it.
///
/// The client reads it after it has a connection, so nothing has reached the
/// store before.
final class SendTrackingBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let body: Data
    private let asked = Mutex(false)

    init(_ body: Data) {
        self.body = body
    }

    var wasAskedFor: Bool { asked.withLock { $0 } }

    func makeAsyncIterator() -> Iterator {
        Iterator(body: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: SendTrackingBody
        private var isOver = false

        fileprivate init(body: SendTrackingBody) {
            self.body = body
        }

        mutating func next() async -> ByteBuffer? {
            guard !isOver else { return nil }
            isOver = true
            body.asked.withLock { $0 = true }
            return ByteBuffer(bytes: body.body)
        }
    }
}
