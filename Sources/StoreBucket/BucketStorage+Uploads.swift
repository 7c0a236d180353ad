// SPDX-License-Identifier: Apache-2.0

package import Foundation
import NIOCore
package import StoreDomain

/// The parts of uploads. The row of an upload keeps the bucket's identifier of
/// it. The parts are listed again when the upload is completed, so that they
/// need no row.
extension BucketStorage {
    /// A slow bucket gets a part with 70 kB a second.
    private static let partTimeout = TimeAmount.seconds(120)
    /// Joining the parts takes a bucket minutes for the largest object.
    private static let joinTimeout = TimeAmount.minutes(5)
    /// More pages than any list of an upload has.
    private static let pages = 100

    package func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String {
        let key = try keys.key(of: upload.object)
        return try await explained {
            guard offset == 0 || !upload.storageState.isEmpty else {
                throw ContentStorageError(.missing, "\(connection.address): the upload was begun in another storage")
            }
            do {
                let state = upload.storageState.isEmpty ? try await begin(key) : upload.storageState
                try await send(part, key, state, at: offset)
                return state
            } catch let failure as BucketFailure where failure.isMissing && offset == 0 {
                // The bucket has removed the upload that an earlier try began.
                let state = try await begin(key)
                try await send(part, key, state, at: offset)
                return state
            }
        }
    }

    private func begin(_ key: String) async throws -> String {
        let request = BucketRequest("beginning an upload", "POST", key: key, [.init("uploads", "")])
        let answer = try await connection.send(request)
        guard let body = answer.body, body.name == "InitiateMultipartUploadResult", let state = body["UploadId"],
            !state.isEmpty, state.utf8.count <= 2048
        else { throw BucketFailure(request.action, .wrong("it names no upload")) }
        return state
    }

    private func send(_ part: Data, _ key: String, _ state: String, at offset: Int64) async throws {
        let number = offset / Int64(partBytes) + 1
        var request = BucketRequest(
            "writing part \(number) of an upload", "PUT", key: key,
            [.init("partNumber", String(number)), .init("uploadId", state)])
        request.body = part
        request.timeout = Self.partTimeout
        _ = try await connection.send(request)
    }

    /// Joins the parts of an upload; does nothing when that was done before.
    func finish(_ upload: ContentUpload, _ key: String) async throws {
        guard !upload.storageState.isEmpty else { return }
        try await ignoringMissing {
            let parts = try await parts(of: upload, key)
            try check(parts, of: upload)
            var request = BucketRequest(
                "completing an upload", "POST", key: key, [.init("uploadId", upload.storageState)])
            request.body = Data(parts.completion.utf8)
            request.timeout = Self.joinTimeout
            _ = try await connection.send(request)
        }
    }

    private func parts(of upload: ContentUpload, _ key: String) async throws -> [PartList.Part] {
        var parts: [PartList.Part] = []
        for _ in 0..<Self.pages {
            var request = BucketRequest(
                "listing the parts of an upload", "GET", key: key, [.init("uploadId", upload.storageState)])
            if let last = parts.last { request.query.append(.init("part-number-marker", String(last.number))) }
            let page = try await list(request) { try PartList($0, of: upload.storageState) }
            parts += page.parts
            guard page.isTruncated, !page.parts.isEmpty else { break }
        }
        return parts
    }

    /// - Throws: `ContentStorageError` `missing`.
    private func check(_ parts: [PartList.Part], of upload: ContentUpload) throws {
        var offset: Int64 = 0
        for (place, part) in parts.enumerated() {
            let expected = min(Int64(partBytes), upload.bytes - offset)
            guard part.number == place + 1, part.bytes == expected, expected > 0 else {
                throw ContentStorageError(
                    .missing, "\(connection.address): part \(place + 1) of an upload has \(part.bytes) bytes")
            }
            offset += expected
        }
        guard offset == upload.bytes else {
            throw ContentStorageError(
                .missing, "\(connection.address): an upload has \(offset) bytes, not \(upload.bytes)")
        }
    }

    /// Aborts every upload of the bucket that was begun for an upload: two
    /// processes may have begun one each.
    package func abandon(_ upload: UploadIdentifier) async throws {
        try await explained {
            for _ in 0..<Self.pages {
                let request = BucketRequest(
                    "listing uploads", "GET",
                    [.init("uploads", ""), .init("prefix", keys.folder(of: upload)), .init("max-uploads", "100")])
                let running = try await list(request, UploadList.init).uploads
                guard !running.isEmpty else { return }
                for one in running where keys.upload(of: one.key) == upload { try await abort(one) }
            }
            throw BucketFailure("aborting an upload", .wrong("the upload is listed after it was aborted"))
        }
    }

    private func abort(_ upload: UploadList.Entry) async throws {
        try await ignoringMissing {
            let request = BucketRequest(
                "aborting an upload", "DELETE", key: upload.key, [.init("uploadId", upload.upload)])
            _ = try await connection.send(request)
        }
    }

    /// Sends a request for a list.
    func list<List: Sendable>(_ request: BucketRequest, _ read: (AnswerElement) throws -> List) async throws -> List {
        guard let body = try await connection.send(request).body else {
            throw BucketFailure(request.action, .wrong("it is empty"))
        }
        do {
            return try read(body)
        } catch let error as AnswerParser.Malformed {
            throw BucketFailure(request.action, .wrong(error.reason))
        }
    }
}
