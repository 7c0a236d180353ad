// SPDX-License-Identifier: Apache-2.0

/// A page of a bucket's objects (`ListObjectsV2`).
struct ObjectList: Hashable, Sendable {
    var keys: [String]
    /// Whether there are more after the last key.
    var isTruncated: Bool

    init(_ answer: AnswerElement) throws {
        try answer.require("ListBucketResult")
        keys = answer.all("Contents").compactMap { $0["Key"] }
        isTruncated = answer["IsTruncated"] == "true"
    }
}

/// A page of the uploads that a bucket has parts of (`ListMultipartUploads`).
struct UploadList: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var key: String
        var upload: String
    }

    var uploads: [Entry]
    var isTruncated: Bool

    init(_ answer: AnswerElement) throws {
        try answer.require("ListMultipartUploadsResult")
        uploads = answer.all("Upload").compactMap { element in
            guard let key = element["Key"], let upload = element["UploadId"] else { return nil }
            return Entry(key: key, upload: upload)
        }
        isTruncated = answer["IsTruncated"] == "true"
    }
}

/// A page of the parts of an upload (`ListParts`).
struct PartList: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        var number: Int
        var tag: String
        var bytes: Int64
    }

    var parts: [Part]
    var isTruncated: Bool

    /// Reads the list of an upload. The name of the answer's root differs
    /// among servers, and the upload's identifier doesn't.
    ///
    /// - Throws: ``AnswerParser/Malformed`` also for a part without number,
    ///   tag or size.
    init(_ answer: AnswerElement, of upload: String) throws {
        guard answer["UploadId"] == upload else { throw AnswerParser.Malformed(reason: "it has no list of the upload") }
        parts = try answer.all("Part").map { element in
            guard let number = element["PartNumber"].flatMap({ Int($0) }), let tag = element["ETag"],
                let bytes = element["Size"].flatMap({ Int64($0) })
            else { throw AnswerParser.Malformed(reason: "a part has no number, tag or size") }
            return Part(number: number, tag: tag, bytes: bytes)
        }
        isTruncated = answer["IsTruncated"] == "true"
    }
}

extension AnswerElement {
    /// - Throws: ``AnswerParser/Malformed`` for an answer to another request.
    func require(_ name: String) throws {
        guard self.name == name else { throw AnswerParser.Malformed(reason: "it has no \(name)") }
    }
}

extension [PartList.Part] {
    /// The body that completes an upload of these parts.
    var completion: String {
        let parts = map { part in
            let tag = part.tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            return "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        return "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
    }
}
