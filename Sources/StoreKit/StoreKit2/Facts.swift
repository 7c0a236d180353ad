// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// The fields of a signed value that don't change when the store signs it
/// again.
enum Facts {
    private static let signing: Set = ["signedDate", "deviceVerification", "deviceVerificationNonce"]

    static func of(_ members: [String: JSONValue]) -> [String: String] {
        members.filter { !signing.contains($0.key) }.mapValues { "\($0)" }
    }
}
