// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import StoreCore
package import StoreDomain

/// Keeps the content of a store in a bucket with the interface of Amazon S3.
///
/// An upload is a multipart upload of the key that its object has in the end,
/// so that no byte is sent twice and an incomplete object can't be read. Its
/// parts can only be read after it is completed: ``read(_:)-(ContentUpload)``
/// completes it before the store checks the bytes. No row names the object
/// then, and ``abandon(_:)-(ContentUpload)`` removes it if they are refused.
package struct BucketStorage: ContentStorage {
    /// S3 takes parts of 5 MiB and more, but for the last.
    package let partBytes: Int

    let connection: BucketConnection
    let keys: BucketKeys
    private let clock: WallClock

    /// The smallest part that S3 takes, except as the last one.
    static let leastPartBytes = 5 << 20
    /// How long an address of the bucket is valid at most. It is used
    /// immediately, and a download that has begun goes on after its end.
    package static let addressLifetime: Duration = .seconds(5 * 60)

    /// Makes the storage of the store with a name; nothing is sent yet.
    /// `count` is called for each request.
    ///
    /// - Throws: ``BucketSettingError``.
    package init(
        _ address: BucketAddress, store name: String, credentials: BucketCredentials, environment: [String: String],
        clock: WallClock, count: @escaping @Sendable (StoreMeters.BucketResult) -> Void
    ) throws {
        try self.init(
            address, store: name, credentials: credentials, environment: environment, clock: clock, count: count,
            retries: BucketRetries())
    }

    init(
        _ address: BucketAddress, store name: String, credentials: BucketCredentials, environment: [String: String],
        clock: WallClock, count: @escaping @Sendable (StoreMeters.BucketResult) -> Void, retries: BucketRetries,
        partBytes: Int = 8 << 20
    ) throws {
        let region = try address.region(environment: environment)
        self.partBytes = partBytes
        self.clock = clock
        keys = BucketKeys(address, store: name)
        connection = BucketConnection(
            address, try address.endpoint(region: region), RequestSigner(credentials: credentials, region: region),
            clock: clock, retries: retries, count: count)
    }

    package func read(_ upload: ContentUpload) async throws -> any ContentReader {
        let key = try keys.key(of: upload.object)
        try await explained { try await finish(upload, key) }
        return try await BucketReader(connection, key: key, 0..<upload.bytes, length: upload.bytes, checksum: nil)
    }

    package func complete(_ upload: ContentUpload) async throws {
        let key = try keys.key(of: upload.object)
        try await explained {
            try await finish(upload, key)
            let answer = try await connection.send(BucketRequest("measuring an object", "HEAD", key: key))
            guard answer.bytes == upload.bytes else {
                throw ContentStorageError(
                    .missing, "\(connection.address): \(key) has \(answer.bytes ?? 0) bytes, not \(upload.bytes)")
            }
        }
        // A process that was killed after its first part has begun another.
        try await abandon(upload.identifier)
    }

    package func abandon(_ upload: ContentUpload) async throws {
        try await abandon(upload.identifier)
        try await remove(upload.object)
    }

    package func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader {
        try await BucketReader(
            connection, key: keys.key(of: object), range, length: nil, checksum: BucketKeys.parts(of: object)?.checksum)
    }

    package func remove(_ object: ContentObjectName) async throws {
        let key = try keys.key(of: object)
        try await explained {
            try await ignoringMissing {
                _ = try await connection.send(BucketRequest("removing an object", "DELETE", key: key))
            }
        }
    }

    package func address(of object: ContentObjectName, until expires: WallTime) async throws -> String? {
        let rest = expires.milliseconds - clock.now().milliseconds
        let seconds = min(Self.addressLifetime.milliseconds, rest) / 1000
        return seconds > 0 ? connection.address(of: try keys.key(of: object), seconds: seconds) : nil
    }

    func explained<Answer: Sendable>(_ work: () async throws -> Answer) async throws -> Answer {
        try await Self.explained(connection, work)
    }

    /// Converts failures of the connection into errors for the operator.
    static func explained<Answer: Sendable>(
        _ connection: BucketConnection, _ work: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await work()
        } catch let failure as BucketFailure {
            throw failure.storageError(of: connection.address, at: connection.endpoint)
        }
    }

    /// Carries out a request to remove something that may be gone.
    func ignoringMissing(_ work: () async throws -> Void) async throws {
        do { try await work() } catch let failure as BucketFailure where failure.isMissing {}
    }
}
