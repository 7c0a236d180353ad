// SPDX-License-Identifier: Apache-2.0

/// The operator's settings of `/verifyReceipt`.
package struct VerifyReceiptConfiguration: Sendable {
    /// The secret that each app's seller sends as `password`, by bundle
    /// identifier. For an app without one, every password is accepted.
    package var sharedSecrets: [String: String]

    package init(sharedSecrets: [String: String] = [:]) {
        self.sharedSecrets = sharedSecrets
    }
}
