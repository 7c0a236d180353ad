// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreServer
import StoreService

/// The secrets of a store that is about to be served.
struct ServedSecrets {
    var control: ControlAccess
    var verifyReceipt: VerifyReceiptConfiguration
    /// The secrets in the database; `nil` if they are files.
    var stored: StoredSecrets?
}

extension StoredAuthority {
    /// Opens the control token and the shared secrets of apps, which are
    /// stored where the authority is, and makes the token at the first start.
    /// A token in the database is also written into the folder, where
    /// `storectl` reads it.
    ///
    /// `setting` has the shared secrets that this start was given, by bundle
    /// identifier, and `removing` the apps whose secrets are removed from the
    /// database. Secrets in files are given at each start, so that there is
    /// nothing to remove.
    ///
    /// - Throws: ``CommandFailure``, `DomainError`, `DatabaseError`.
    func openSecrets(
        _ context: StoreContext, setting: [String: String], removing: [String]
    ) async throws -> ServedSecrets {
        guard try await AuthorityRows.exist(in: context.database) else {
            return ServedSecrets(
                control: ControlAccess(token: try directory.controlToken(random: context.random)),
                verifyReceipt: VerifyReceiptConfiguration(sharedSecrets: setting))
        }
        guard let protection = try key.protection(environment) else { throw AuthorityProtection.missing }
        let sharing = SharingSecrets(context, protection: protection)
        let known = try await sharing(
            takingOver: directory.findControlToken(),
            setting: Dictionary(uniqueKeysWithValues: setting.map { (BundleIdentifier($0), $1) }),
            removing: Set(removing.map { BundleIdentifier($0) }))
        let stored = StoredSecrets(sharing, known)
        try directory.writeControlToken(stored.controlToken)
        return ServedSecrets(
            control: ControlAccess(token: stored.controlToken), verifyReceipt: VerifyReceiptConfiguration(stored),
            stored: stored)
    }
}
