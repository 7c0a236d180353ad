// SPDX-License-Identifier: Apache-2.0

import StoreDomain
package import StoreService

/// The operator's settings of `/verifyReceipt`.
package struct VerifyReceiptConfiguration: Sendable {
    /// Returns the secret that an app's seller sends as `password`. For an
    /// app without one, every password is accepted.
    package var sharedSecret: @Sendable (_ bundleIdentifier: String) -> String?

    /// Takes the secrets by bundle identifier.
    package init(sharedSecrets: [String: String] = [:]) {
        sharedSecret = { sharedSecrets[$0] }
    }

    /// Takes the secrets that the nodes of a store share.
    package init(_ secrets: StoredSecrets) {
        sharedSecret = { secrets.sharedSecret(of: BundleIdentifier($0)) }
    }
}
