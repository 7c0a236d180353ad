// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import Testing

@testable import StoreBucket

/// Signatures, compared with the examples in the Amazon S3 API Reference,
/// "Signature Calculations for the Authorization Header" and "Authenticating
/// Requests: Using Query Parameters".
struct RequestSignerTests {
    private let signer = RequestSigner(
        credentials: BucketCredentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    /// 2013-05-24T00:00:00Z
    private let moment = WallTime(milliseconds: 1_369_353_600_000)
    private let host = CanonicalRequest.Item("host", "examplebucket.s3.amazonaws.com")

    private func request(
        _ method: String, _ path: String, _ query: [CanonicalRequest.Item] = [],
        _ fields: [CanonicalRequest.Item] = [], body: Data = Data()
    ) -> CanonicalRequest {
        CanonicalRequest(
            method: method, path: path.percentEncoded(keepingSlashes: true), query: query, fields: [host] + fields,
            payload: CanonicalRequest.checksum(body))
    }

    private func field(_ name: String, of request: CanonicalRequest) -> String? {
        request.fields.first { $0.name == name }?.value
    }

    private func signature(of request: CanonicalRequest) throws -> Substring {
        let authorization = try #require(field("authorization", of: signer.sign(request, at: moment)))
        return try #require(authorization.split(separator: "Signature=").last)
    }

    @Test("The part of an object is signed as in the example, with the names of the fields")
    func part() throws {
        let signed = signer.sign(request("GET", "/test.txt", [], [.init("range", "bytes=0-9")]), at: moment)

        #expect(
            field("authorization", of: signed) == """
                AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
                SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, \
                Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
                """)
        #expect(field("x-amz-date", of: signed) == "20130524T000000Z")
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(field("x-amz-content-sha256", of: signed) == empty)
    }

    @Test("A body, and a path with a character that is encoded")
    func body() throws {
        let fields: [CanonicalRequest.Item] = [
            .init("date", "Fri, 24 May 2013 00:00:00 GMT"), .init("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ]
        let request = request("PUT", "/test$file.text", [], fields, body: Data("Welcome to Amazon S3.".utf8))
        #expect(request.path == "/test%24file.text")
        let signature = try signature(of: request)
        #expect(signature == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("A query with a name alone, and one with two items in another order")
    func queries() throws {
        let lifecycle = try signature(of: request("GET", "/", [.init("lifecycle", "")]))
        #expect(lifecycle == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        let list = try signature(of: request("GET", "/", [.init("prefix", "J"), .init("max-keys", "2")]))
        #expect(list == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("An address with the signature in its query")
    func address() {
        let signed = signer.presign(request("GET", "/test.txt"), at: moment, seconds: 86_400)
        let text = signed.queryText
        #expect(text.contains("X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&"))
        #expect(text.contains("X-Amz-Expires=86400&"))
        let figure = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        #expect(text.contains("X-Amz-Signature=\(figure)"))
        #expect(!text.contains("Content-Sha256"))
    }

    @Test("The token of temporary keys is signed, in a field and in an address")
    func token() {
        let signer = RequestSigner(
            credentials: BucketCredentials(accessKey: "a", secretKey: "b", sessionToken: "c/d"), region: "eu-central-1")
        let signed = signer.sign(request("GET", "/"), at: moment)
        #expect(field("x-amz-security-token", of: signed) == "c/d")
        #expect(field("authorization", of: signed)?.contains(";x-amz-security-token,") == true)
        #expect(field("authorization", of: signed)?.contains("/20130524/eu-central-1/s3/") == true)
        let address = signer.presign(request("GET", "/"), at: moment, seconds: 1)
        #expect(address.queryText.contains("X-Amz-Security-Token=c%2Fd"))
    }

    @Test("Blanks in a field, and every byte of a text, are written in one form")
    func forms() {
        let request = request("GET", "/", [.init("a b", "ü/+")], [.init("x", "  a   b ")])
        #expect(request.text.contains("\nx:a b\n"))
        #expect(request.queryText == "a%20b=%C3%BC%2F%2B")
        #expect("/a b/\u{0}~".percentEncoded(keepingSlashes: true) == "/a%20b/%00~")
    }
}
