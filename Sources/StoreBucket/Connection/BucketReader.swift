// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import StoreCore
import StoreDomain

/// Reads a range of an object part by part. The bucket sends the next bytes
/// after the ones before were taken.
///
/// A lost connection is made again at the missing byte, of the object with
/// the same entity tag. The bytes of a whole object are compared with the
/// checksum before the last of them is returned.
final class BucketReader: ContentReader, @unchecked Sendable {  // because one task at a time calls it
    /// The most bytes that a call returns.
    private static let part = 64 << 10
    /// The connections that may be lost one after another without a byte.
    private static let mostLosses = 3

    private let connection: BucketConnection
    private let key: String
    /// The bytes that haven't arrived yet.
    private var rest: Range<Int64>
    private var body: HTTPClientResponse.Body.AsyncIterator?
    /// Bytes that have arrived, and weren't returned yet.
    private var arrived = ByteBuffer()
    private var tag: String?
    private var losses = 0
    private var hash = SHA256()
    /// The checksum of the whole object; `nil` when the range isn't the whole.
    private var checksum: String?

    private static let action = "reading an object"

    /// Opens the range. `length` is the number of the object's bytes, if the
    /// caller knows it; `checksum` that of the whole object.
    ///
    /// - Throws: `ContentStorageError`, `CancellationError`.
    init(
        _ connection: BucketConnection, key: String, _ range: Range<Int64>, length: Int64?, checksum: String?
    ) async throws {
        self.connection = connection
        self.key = key
        rest = range
        guard !range.isEmpty else { return }
        let whole = try await BucketStorage.explained(connection) { try await self.connect() }
        if let length, whole != length {
            throw ContentStorageError(.missing, "\(connection.address): \(key) has \(whole) bytes, not \(length)")
        }
        if range == 0..<whole { self.checksum = checksum }
    }

    func next() async throws -> Data? {
        try Task.checkCancellation()
        try await BucketStorage.explained(connection) {
            while arrived.readableBytes == 0, !rest.isEmpty {
                do {
                    try await receive()
                } catch let failure as BucketFailure where failure.mayRepeat && tag != nil && losses < Self.mostLosses {
                    losses += 1
                    try await connect()
                }
            }
        }
        guard let bytes = arrived.readSlice(length: min(Self.part, arrived.readableBytes)), bytes.readableBytes > 0
        else { return nil }
        let data = Data(bytes.readableBytesView)
        if let checksum {
            hash.update(data: data)
            if rest.isEmpty, arrived.readableBytes == 0, Data(hash.finalize()).hexadecimal != checksum {
                throw ContentStorageError(
                    .missing, "\(connection.address): \(key) has another checksum than its name: upload it again")
            }
        }
        return data
    }

    /// Takes the next bytes of the connection.
    private func receive() async throws {
        do {
            guard let bytes = try await body?.next(isolation: nil) else {
                throw BucketFailure(Self.action, .network("the answer ended early"))
            }
            guard Int64(bytes.readableBytes) <= rest.upperBound - rest.lowerBound else {
                throw BucketFailure(Self.action, .wrong("it has more bytes than were asked for"))
            }
            if bytes.readableBytes > 0 { losses = 0 }
            rest = rest.lowerBound + Int64(bytes.readableBytes)..<rest.upperBound
            arrived = bytes
        } catch let failure as BucketFailure {
            throw failure
        } catch {
            throw try BucketConnection.failure(error, Self.action)
        }
    }

    /// Requests the bytes that haven't arrived, and returns the number of the
    /// whole object's bytes.
    @discardableResult
    private func connect() async throws -> Int64 {
        var request = BucketRequest(Self.action, "GET", key: key)
        request.fields = [.init("range", "bytes=\(rest.lowerBound)-\(rest.upperBound - 1)")]
        if let tag { request.fields.append(.init("if-match", tag)) }
        let response = try await connection.open(request)
        let whole = try AnsweredRange.length(of: response, for: rest, Self.action)
        tag = response.headers.first(name: "ETag")
        body = response.body.makeAsyncIterator()
        return whole
    }
}
