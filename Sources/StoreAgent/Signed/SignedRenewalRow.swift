// SPDX-License-Identifier: Apache-2.0

/// The signed renewal of a subscription in the journal.
package struct SignedRenewalRow: Sendable, Hashable {
    /// The transaction of the newest period.
    package var transactionIdentifier: String
    package var group: String
    /// The JWS.
    package var signed: String
}
