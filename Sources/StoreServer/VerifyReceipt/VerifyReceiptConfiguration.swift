// SPDX-License-Identifier: Apache-2.0

/// What an operator tells `/verifyReceipt`.
package struct VerifyReceiptConfiguration: Sendable {
    /// The secret that an app's seller sends as `password`, by bundle
    /// identifier. For an app without one, any is right.
    package var sharedSecrets: [String: String]

    package init(sharedSecrets: [String: String] = [:]) {
        self.sharedSecrets = sharedSecrets
    }
}
