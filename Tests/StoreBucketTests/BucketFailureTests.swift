// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

@testable import StoreBucket

/// Errors of a bucket, and the operator's messages about them.
struct BucketFailureTests {
    private func error(_ status: Int, _ code: String, key: String? = "k") throws -> ContentStorageError {
        let address = try BucketAddress("s3://fruit/shop?endpoint=http://127.0.0.1:9000")
        return failure(status, code, key: key).storageError(of: address, at: try address.endpoint(region: "x"))
    }

    private func failure(_ status: Int, _ code: String, key: String? = "k") -> BucketFailure {
        var body = AnswerElement("Error")
        var element = AnswerElement("Code")
        element.text = code
        body.children = [element]
        return BucketFailure(BucketRequest("reading an object", "GET", key: key), status: status, body)
    }

    @Test("A message names the bucket, the endpoint, the answer and the remedy")
    func message() throws {
        let message = try error(403, "SignatureDoesNotMatch").message
        for part in ["s3://fruit/shop", "http://127.0.0.1:9000", "an object", "403 SignatureDoesNotMatch", "key"] {
            #expect(message.contains(part), "\(message)")
        }
    }

    @Test("A missing object, a full bucket and a bucket out of order have different codes")
    func kinds() throws {
        #expect(try error(404, "NoSuchKey").code == .missing)
        #expect(try error(404, "").code == .missing)
        #expect(try error(404, "NoSuchBucket").code == .unavailable)
        #expect(try error(404, "", key: nil).message.contains("NoSuchBucket"))
        #expect(try error(507, "").code == .full)
        #expect(try error(403, "QuotaExceeded").code == .full)
        #expect(try error(403, "AccessDenied").code == .unavailable)
        #expect(try error(503, "SlowDown").code == .unavailable)
    }

    @Test("Only errors that pass are repeated")
    func repeated() {
        for status in [429, 500, 502, 503, 504] { #expect(failure(status, "").mayRepeat) }
        for status in [301, 400, 403, 404, 412, 501, 507] { #expect(!failure(status, "").mayRepeat) }
        // A completion's error comes with the status 200.
        #expect(failure(200, "InternalError").mayRepeat)
        #expect(!failure(200, "InvalidPart").mayRepeat)
        #expect(BucketFailure("", .network("")).mayRepeat && !BucketFailure("", .wrong("")).mayRepeat)
    }

    @Test(
        "A code that is no plain name isn't in a message",
        arguments: ["a b", "a\nb", "<a>", String(repeating: "a", count: 65)])
    func codes(_ code: String) throws {
        #expect(try !error(400, code).message.contains(code))
    }

    @Test("An answered range is the one that was asked for")
    func ranges() throws {
        func length(_ status: Int, _ field: String?, _ bytes: String?, _ range: Range<Int64>) throws -> Int64 {
            try AnsweredRange.length(status: status, range: field, bytes: bytes, for: range, "reading")
        }
        #expect(try length(206, "bytes 5-9/100", "5", 5..<10) == 100)
        #expect(try length(200, nil, "10", 0..<10) == 10)
        for (status, field, bytes, range) in [
            (200, nil, "100", 5..<10), (200, nil, "100", 0..<10), (200, nil, nil, 0..<10), (206, nil, "5", 5..<10),
            (206, "bytes 4-9/100", "6", 5..<10), (206, "bytes 5-10/100", "6", 5..<10),
            (206, "bytes 5-9/*", "5", 5..<10),
            (206, "bytes 5-9/9", "5", 5..<10), (206, "bytes 5-9/-1", "5", 5..<10), (204, nil, "0", 0..<1),
        ] as [(Int, String?, String?, Range<Int64>)] {
            #expect(throws: BucketFailure.self) { try length(status, field, bytes, range) }
        }
    }
}
