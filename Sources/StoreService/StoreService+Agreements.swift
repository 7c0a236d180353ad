// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The contracts of teams, their bank accounts and tax forms.
extension StoreService {
    /// The use cases that read a team's agreements.
    package var agreementReader: SigningAgreements { SigningAgreements(context) }

    /// The use cases that change a team's agreements.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func signingAgreements() throws -> SigningAgreements {
        try requireCurrentSchema()
        return SigningAgreements(context)
    }
}
