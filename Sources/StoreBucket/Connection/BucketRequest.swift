// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// A request to a bucket, before it is signed.
struct BucketRequest: Sendable {
    /// The action in messages to the operator, such as `reading an object`.
    var action: String
    var method: String
    /// The key of an object; `nil` for a request about the bucket.
    var key: String?
    var query: [CanonicalRequest.Item] = []
    /// Header fields, with names in lower case.
    var fields: [CanonicalRequest.Item] = []
    var body = Data()
    /// The time limit for the head of the answer, after the body was sent.
    var timeout: TimeAmount = .seconds(20)

    init(_ action: String, _ method: String, key: String? = nil, _ query: [CanonicalRequest.Item] = []) {
        self.action = action
        self.method = method
        self.key = key
        self.query = query
    }
}

/// A bucket's answer, whose body was read.
struct BucketAnswer: Sendable {
    var bytes: Int64?
    /// The root of the body; `nil` for an answer without a body.
    var body: AnswerElement?
}
