// SPDX-License-Identifier: Apache-2.0

/// The keys that sign a store's requests to its bucket.
///
/// Its texts for people have no key, so that none reaches a log.
package struct BucketCredentials: Sendable {
    let accessKey: String
    let secretKey: String
    /// The token of keys that are valid for a limited time.
    let sessionToken: String?

    init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    private static let ours = (access: "OPENSTOREKIT_BUCKET_ACCESS_KEY", secret: "OPENSTOREKIT_BUCKET_SECRET_KEY")
    private static let theirs = (access: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY")
    private static let theirToken = "AWS_SESSION_TOKEN"

    /// Reads the keys from environment variables: those of this store, or
    /// AWS's, with `AWS_SESSION_TOKEN` beside them.
    ///
    /// - Throws: ``BucketSettingError`` when there are no keys, when one of a
    ///   pair is missing, or when one has characters that no header field can
    ///   have.
    package init(environment: [String: String]) throws {
        func value(_ name: String) throws -> String? {
            guard let value = environment[name], !value.isEmpty else { return nil }
            guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw BucketSettingError("\(name) has a character that no key of a bucket has: set it again.")
            }
            return value
        }
        for (names, token) in [(Self.ours, nil), (Self.theirs, Self.theirToken)] {
            switch (try value(names.access), try value(names.secret)) {
            case (let access?, let secret?):
                self.init(accessKey: access, secretKey: secret, sessionToken: try token.flatMap(value))
                return
            case (nil, nil): continue
            case (let access, _):
                throw BucketSettingError(
                    "\(access == nil ? names.secret : names.access) is set without the other key: set both.")
            }
        }
        throw BucketSettingError(
            """
            A bucket needs keys: set \(Self.ours.access) and \(Self.ours.secret), or \(Self.theirs.access) and \
            \(Self.theirs.secret).
            """)
    }
}

extension BucketCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "the keys of a bucket" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The error of an operator's setting of a bucket: the problem and the remedy.
///
/// Two errors are equal when their messages are.
package struct BucketSettingError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
