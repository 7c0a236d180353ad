// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The reason for which a request to a bucket has failed.
struct BucketFailure: Error, Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        /// An answer with an error's status, and the code in its body. The
        /// code is empty when there is none.
        case refused(status: Int, code: String)
        /// No answer, or one that has stopped.
        case network(String)
        /// An answer that the request doesn't have.
        case wrong(String)
    }

    var action: String
    var reason: Reason

    init(_ action: String, _ reason: Reason) {
        self.action = action
        self.reason = reason
    }

    /// The failure of a request that was answered with an error. A request
    /// about the bucket finds nothing only if there is no bucket.
    init(_ request: BucketRequest, status: Int, _ body: AnswerElement?) {
        var code = Self.code(body)
        if code.isEmpty, status == 404, request.key == nil { code = "NoSuchBucket" }
        self.init(request.action, .refused(status: status, code: code))
    }

    /// The code in an error's body; empty if it isn't a plain name.
    static func code(_ body: AnswerElement?) -> String {
        guard let body, body.name == "Error", let code = body["Code"], code.utf8.count <= 64,
            code.utf8.allSatisfy({ byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
            })
        else { return "" }
        return code
    }

    /// Whether the same request may succeed in a moment.
    var mayRepeat: Bool {
        switch reason {
        case .refused(let status, let code):
            [408, 429, 500, 502, 503, 504].contains(status)
                || ["InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout"].contains(code)
        case .network: true
        case .wrong: false
        }
    }

    /// Whether the bucket doesn't have the object or the upload.
    var isMissing: Bool {
        guard case .refused(let status, let code) = reason else { return false }
        return status == 404 && code != "NoSuchBucket"
    }

    /// The storage's error for the operator.
    func storageError(of bucket: BucketAddress, at endpoint: BucketEndpoint) -> ContentStorageError {
        let place = "\(bucket) at \(endpoint.text)"
        switch reason {
        case .refused(let status, let code):
            let answer = code.isEmpty ? "\(status)" : "\(status) \(code)"
            let kind = kind(status, code)
            let message = "\(place): \(action) was answered \(answer)"
            // The commands and the store's own answers add the remedy of a full storage.
            return ContentStorageError(kind, kind == .full ? message : "\(message). \(Self.remedy(status, code))")
        case .network(let text):
            return ContentStorageError(
                .unavailable, "\(place): \(action) failed: \(text). Check that the endpoint can be reached.")
        case .wrong(let text):
            return ContentStorageError(
                .unavailable, "\(place): \(action) got a wrong answer: \(text). Check that a bucket is there.")
        }
    }

    private func kind(_ status: Int, _ code: String) -> ContentStorageError.Code {
        if isMissing { return .missing }
        let isFull = ["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"].contains(code)
        return status == 507 || isFull ? .full : .unavailable
    }

    private static func remedy(_ status: Int, _ code: String) -> String {
        switch code {
        case "InvalidAccessKeyId": return "The bucket doesn't know the access key: set another in the environment."
        case "SignatureDoesNotMatch": return "The secret key is another than the access key's: set both again."
        case "ExpiredToken", "InvalidToken": return "The keys have expired: set others in the environment."
        case "RequestTimeTooSkewed": return "The clock of this machine differs from the bucket's: set it."
        case "NoSuchBucket": return "Create the bucket, or name another with --content."
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "IllegalLocationConstraint":
            return "The bucket is in another region or at another endpoint: name them with --content."
        default: break
        }
        switch status {
        case 300..<400: return "The bucket is in another region or at another endpoint: name them with --content."
        case 403: return "Give the keys the rights that docs/content.md lists."
        case 404: return "The bucket has lost it, or another program has removed it."
        case 500...: return "The bucket is out of order: the store tries again."
        default: return "The bucket doesn't take the request: check the endpoint and the region."
        }
    }
}
