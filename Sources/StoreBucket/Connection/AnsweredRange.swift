// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOHTTP1

/// The range in the head of an answer.
enum AnsweredRange {
    /// Requires that an answer has exactly a range, and returns the number of
    /// the whole object's bytes. A server may answer a range that is the whole
    /// object with the status 200 (RFC 9110, section 14.2).
    ///
    /// - Throws: ``BucketFailure``.
    static func length(
        of response: HTTPClientResponse, for range: Range<Int64>, _ action: String
    ) throws -> Int64 {
        try length(
            status: Int(response.status.code), range: response.headers.first(name: "Content-Range"),
            bytes: response.headers.first(name: "Content-Length"), for: range, action)
    }

    static func length(
        status: Int, range field: String?, bytes: String?, for range: Range<Int64>, _ action: String
    ) throws -> Int64 {
        if status == 200, range.lowerBound == 0, bytes == String(range.upperBound) { return range.upperBound }
        let beginning = "bytes \(range.lowerBound)-\(range.upperBound - 1)/"
        guard status == 206, let field, field.hasPrefix(beginning),
            let whole = Int64(field.dropFirst(beginning.count)), whole >= range.upperBound
        else {
            throw BucketFailure(
                action, .wrong("the bytes \(range.lowerBound)-\(range.upperBound - 1) were answered with others"))
        }
        return whole
    }
}
