// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreBucket

/// The keys of a bucket in the environment.
struct BucketCredentialsTests {
    private static let both = [
        "OPENSTOREKIT_BUCKET_ACCESS_KEY": "ours", "OPENSTOREKIT_BUCKET_SECRET_KEY": "secret-1",
        "AWS_ACCESS_KEY_ID": "theirs", "AWS_SECRET_ACCESS_KEY": "secret-2", "AWS_SESSION_TOKEN": "token-2",
    ]

    @Test("The store's own names come before AWS's, whose token belongs to AWS's keys")
    func order() throws {
        let ours = try BucketCredentials(environment: Self.both)
        #expect(ours.accessKey == "ours" && ours.secretKey == "secret-1" && ours.sessionToken == nil)
        let theirs = try BucketCredentials(environment: Self.both.filter { $0.key.hasPrefix("AWS_") })
        #expect(theirs.accessKey == "theirs" && theirs.secretKey == "secret-2" && theirs.sessionToken == "token-2")
    }

    @Test("Missing keys are named, and a half of a pair isn't completed by the other names")
    func missing() {
        let none = #expect(throws: BucketSettingError.self) { try BucketCredentials(environment: [:]) }
        #expect(none?.message.contains("OPENSTOREKIT_BUCKET_ACCESS_KEY") == true)
        for name in ["OPENSTOREKIT_BUCKET_ACCESS_KEY", "OPENSTOREKIT_BUCKET_SECRET_KEY"] {
            let half = #expect(throws: BucketSettingError.self) {
                try BucketCredentials(environment: Self.both.filter { $0.key != name })
            }
            #expect(half?.message.contains("OPENSTOREKIT_BUCKET_") == true)
            #expect(half?.message.contains(name) == false)
        }
    }

    @Test("A key that no header field can have is refused without its text", arguments: ["x y", "x\r\ny", "ü"])
    func characters(_ key: String) {
        let error = #expect(throws: BucketSettingError.self) {
            try BucketCredentials(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": key])
        }
        #expect(error?.message.contains(key) == false)
    }

    @Test("No text of the keys has a key")
    func texts() throws {
        let keys = try BucketCredentials(environment: Self.both)
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped] {
            #expect(!text.contains("ours") && !text.contains("secret-1"))
        }
    }
}
