// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import StoreAPI
import Synchronization

/// Limits the memory for request bodies: of all requests together, and of
/// each network address. A part of it is kept for addresses that have few
/// bytes, so that a few addresses whose bodies don't end exclude no others.
final class BodyBudget: Sendable {
    private struct Taken {
        var whole = 0
        var addresses: [String: Int] = [:]
    }

    private let limit: Int
    private let limitOfAnAddress: Int
    private let reserve: Int
    private let few: Int
    private let taken = Mutex(Taken())

    init(_ limits: ServerLimits) {
        limit = limits.bufferedBytes
        limitOfAnAddress = limits.bufferedBytesOfAnAddress
        reserve = limits.reservedBytes
        few = limits.fewBufferedBytes
    }

    /// Reads the whole body of a request, and counts its bytes until the
    /// closure returns.
    ///
    /// - Throws: The closure's error; `StoreFailure`: `tooLarge` for more
    ///   than `limit` bytes, `unavailable` when the budget is used up or the
    ///   server stops, `malformed` for a body that breaks off or isn't framed
    ///   as HTTP requires (RFC 9112, sections 6 and 7).
    func withBody<T>(
        of request: Request, from address: String?, upTo limit: Int, _ body: (ByteBuffer) async throws -> T
    ) async throws -> T {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw Self.tooLarge(limit)
        }
        var share = Share(budget: self, address: address)
        defer { share.giveBack() }
        return try await body(try await read(request, upTo: limit, into: &share))
    }

    private func read(_ request: Request, upTo limit: Int, into share: inout Share) async throws -> ByteBuffer {
        var whole = ByteBuffer()
        do {
            for try await part in request.body {
                guard whole.readableBytes + part.readableBytes <= limit else { throw Self.tooLarge(limit) }
                guard share.take(part.readableBytes) else {
                    throw StoreFailure(.unavailable, "Too many requests are being read: try again.", retryAfter: 1)
                }
                whole.writeImmutableBuffer(part)
            }
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw Self.failure(of: error)
        }
        return whole
    }

    /// The failure that an error of reading a body is.
    static func failure(of error: any Error) -> StoreFailure {
        error is CancellationError
            ? StoreFailure(.unavailable, "The store is stopping: send the same request again.", retryAfter: 5)
            : StoreFailure(.malformed, "The body breaks off, or isn't framed as HTTP frames it.")
    }

    private static func tooLarge(_ limit: Int) -> StoreFailure {
        StoreFailure(.tooLarge, "The body has more than \(limit) bytes.")
    }

    /// The part of the budget that one request holds.
    private struct Share {
        let budget: BodyBudget
        /// `nil` for a sender that has no limit of its own.
        let address: String?
        var bytes = 0

        mutating func take(_ more: Int) -> Bool {
            let isThere = budget.taken.withLock { taken in
                let ofAddress = address.map { taken.addresses[$0, default: 0] } ?? 0
                let limit = ofAddress + more <= budget.few ? budget.limit : budget.limit - budget.reserve
                guard taken.whole + more <= limit, ofAddress + more <= budget.limitOfAnAddress else {
                    return false
                }
                taken.whole += more
                if let address { taken.addresses[address] = ofAddress + more }
                return true
            }
            if isThere { bytes += more }
            return isThere
        }

        mutating func giveBack() {
            budget.taken.withLock { taken in
                taken.whole -= bytes
                guard let address, let ofAddress = taken.addresses[address] else { return }
                taken.addresses[address] = ofAddress > bytes ? ofAddress - bytes : nil
            }
            bytes = 0
        }
    }
}
