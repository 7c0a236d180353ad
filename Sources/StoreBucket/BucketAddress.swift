// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The place of a bucket, as an operator writes it:
/// `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`.
///
/// The prefix, the endpoint and the region may be missing. Requests have the
/// bucket in their path, so that every endpoint has one host name.
package struct BucketAddress: Hashable, Sendable {
    package let bucket: String
    /// The beginning of all keys of the store, without slashes at its ends;
    /// it may be empty.
    package let prefix: String
    /// `nil` is the endpoint of AWS in the region.
    private let endpointText: String?
    private let ownRegion: String?

    package static let scheme = "s3"
    private static let defaultRegion = "us-east-1"
    private static let example = "s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME"

    /// Reads an address.
    ///
    /// - Throws: ``BucketSettingError``.
    package init(_ text: String) throws {
        guard let parts = URLComponents(string: text), parts.scheme == Self.scheme, parts.fragment == nil,
            parts.port == nil
        else { throw BucketSettingError("A bucket's address is \(Self.example).") }
        guard parts.user == nil, parts.password == nil else {
            throw BucketSettingError("A bucket's address has no keys: they are in the environment.")
        }
        bucket = parts.host ?? ""
        guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isInBucket) else {
            throw BucketSettingError("A bucket's name has 3 to 63 small letters, digits, dots and hyphens.")
        }
        prefix = parts.path.split(separator: "/").joined(separator: "/")
        guard prefix.utf8.count <= 200, prefix.utf8.allSatisfy(Self.isInPrefix),
            !prefix.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else {
            throw BucketSettingError(
                "The prefix in a bucket has at most 200 letters, digits, slashes, dots, hyphens and underscores.")
        }
        var values: [String: String] = [:]
        for item in parts.queryItems ?? [] {
            guard ["endpoint", "region"].contains(item.name), let value = item.value, !value.isEmpty,
                values.updateValue(value, forKey: item.name) == nil
            else { throw BucketSettingError("A bucket's address has endpoint and region once each: \(Self.example).") }
        }
        endpointText = values["endpoint"]
        ownRegion = values["region"]
        if let ownRegion { try Self.check(region: ownRegion) }
        if let endpointText { _ = try BucketEndpoint(endpointText) }
    }

    /// The region of the address, of the environment (`AWS_REGION`,
    /// `AWS_DEFAULT_REGION`), or `us-east-1`.
    ///
    /// - Throws: ``BucketSettingError``.
    func region(environment: [String: String]) throws -> String {
        if let ownRegion { return ownRegion }
        for name in ["AWS_REGION", "AWS_DEFAULT_REGION"] {
            if let region = environment[name], !region.isEmpty {
                try Self.check(region: region)
                return region
            }
        }
        return Self.defaultRegion
    }

    /// The server to which requests are sent.
    ///
    /// - Throws: ``BucketSettingError``.
    func endpoint(region: String) throws -> BucketEndpoint {
        try BucketEndpoint(endpointText ?? "https://s3.\(region).amazonaws.com")
    }

    private static func check(region: String) throws {
        guard (1...63).contains(region.utf8.count), region.utf8.allSatisfy(isInBucket) else {
            throw BucketSettingError("A region has small letters, digits and hyphens, such as eu-central-1.")
        }
    }

    private static func isInBucket(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isInPrefix(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "/"): true
        default: isInBucket(byte)
        }
    }
}

extension BucketAddress: CustomStringConvertible {
    /// The bucket and its prefix, for messages.
    package var description: String { "s3://\(bucket)\(prefix.isEmpty ? "" : "/\(prefix)")" }
}
