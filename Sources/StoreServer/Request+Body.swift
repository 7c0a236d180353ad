// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import StoreAPI

extension Request {
    /// All of the body, which is at most so many bytes.
    ///
    /// - Throws: `StoreFailure`: `tooLarge`; `malformed` for a body that
    ///   breaks off or isn't framed as HTTP frames it (RFC 9112, sections 6
    ///   and 7); `unavailable` when the server stops meanwhile.
    func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw StoreFailure(.tooLarge, "The body has more than \(limit) bytes.")
        } catch is CancellationError {
            throw StoreFailure(.unavailable, "The store is stopping. Nothing was changed; try again.")
        } catch {
            throw StoreFailure(.malformed, "The body breaks off, or isn't framed as HTTP frames it.")
        }
    }
}
