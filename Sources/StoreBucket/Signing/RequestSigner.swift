// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore
import StoreDomain

/// Signs requests to a bucket with AWS Signature Version 4: in a header field,
/// or in the query of an address that anyone can use until it expires.
struct RequestSigner: Sendable {
    let credentials: BucketCredentials
    /// The region of the bucket, such as `us-east-1`.
    let region: String

    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let service = "s3"

    /// Returns the request with its date, its checksum and its signature in
    /// header fields. It has the field `host` already.
    func sign(_ request: CanonicalRequest, at moment: WallTime) -> CanonicalRequest {
        var signed = request
        let time = Self.time(moment)
        signed.fields.append(.init("x-amz-date", time))
        signed.fields.append(.init("x-amz-content-sha256", request.payload))
        if let token = credentials.sessionToken { signed.fields.append(.init("x-amz-security-token", token)) }
        let authorization = """
            \(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(time)), \
            SignedHeaders=\(signed.signedFields), Signature=\(signature(of: signed, at: time))
            """
        signed.fields.append(.init("authorization", authorization))
        return signed
    }

    /// Returns the request with its date, the seconds of its validity and its
    /// signature in the query. Its only field is `host`, and its body isn't
    /// signed.
    func presign(_ request: CanonicalRequest, at moment: WallTime, seconds: Int64) -> CanonicalRequest {
        var signed = request
        let time = Self.time(moment)
        signed.payload = CanonicalRequest.unsignedPayload
        signed.query += [
            .init("X-Amz-Algorithm", Self.algorithm),
            .init("X-Amz-Credential", "\(credentials.accessKey)/\(scope(time))"),
            .init("X-Amz-Date", time),
            .init("X-Amz-Expires", String(seconds)),
            .init("X-Amz-SignedHeaders", signed.signedFields),
        ]
        if let token = credentials.sessionToken { signed.query.append(.init("X-Amz-Security-Token", token)) }
        signed.query.append(.init("X-Amz-Signature", signature(of: signed, at: time)))
        return signed
    }

    private func scope(_ time: String) -> String { "\(time.prefix(8))/\(region)/\(Self.service)/aws4_request" }

    private func signature(of request: CanonicalRequest, at time: String) -> String {
        let text = [
            Self.algorithm, time, scope(time), CanonicalRequest.checksum(Data(request.text.utf8)),
        ].joined(separator: "\n")
        var key = SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))
        for part in [String(time.prefix(8)), region, Self.service, "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).hexadecimal
    }

    /// A moment as `20130524T000000Z`.
    static func time(_ moment: WallTime) -> String {
        moment.date.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted,
                timeZoneSeparator: .omitted, includingFractionalSeconds: false, timeZone: .gmt))
    }
}
