// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation

/// Opens the signing authority in a store's database, and makes it at the
/// first start. The authority of a folder becomes the database's then.
package struct OpeningAuthority: UseCase {
    package let context: StoreContext
    /// `nil` if the operator has chosen none, which is an error.
    package let protection: AuthorityProtection?
    /// The private keys that are in neither place.
    package let keys: OperatorKeys
    /// The properties of a new authority's certificates.
    package let profile: SigningAuthority.Profile

    package init(
        _ context: StoreContext, protection: AuthorityProtection?, keys: OperatorKeys,
        profile: SigningAuthority.Profile
    ) {
        self.context = context
        self.protection = protection
        self.keys = keys
        self.profile = profile
    }

    /// How the files of a folder were handled.
    package enum Files: Sendable {
        /// There are none, or they are of the same authority.
        case none
        /// This start has copied them into the database.
        case takenOver
        /// They are of another authority than the database's.
        case ofAnother
    }

    /// The authority, and how the files were handled.
    package struct Opened: Sendable {
        package var authority: SigningAuthority
        package var files: Files
    }

    /// Opens or makes the authority. Nodes that start at the same time all
    /// get the same one.
    ///
    /// - Parameter folder: The folder in which earlier versions of this store
    ///   have an authority. It isn't changed, except that parts which an old
    ///   version didn't make are added.
    /// - Returns: The authority, and how the folder's files were handled.
    /// - Throws: ``DomainError`` `authority` when the protection is missing or
    ///   isn't that of the rows, `DatabaseError`, `AppReceiptError`.
    package func callAsFunction(takingOver folder: URL) throws -> Opened {
        guard let protection else { throw AuthorityProtection.missing }
        let rows = AuthorityRows(database, protection: protection, random: random)
        let files = AuthorityFolder(folder)
        var drawing = random.drawing
        var isTakenOver = false
        if try rows.read() == nil, !files.isEmpty {
            // Checks the files and completes them.
            _ = try SigningAuthority.loadOrCreate(
                directory: folder, profile: profile, keys: keys, using: &drawing)
            if let record = try files.read() { isTakenOver = try rows.create(record, using: &drawing) }
        }
        let authority = try SigningAuthority.loadOrCreate(
            in: rows, profile: profile, keys: keys, using: &drawing)
        if isTakenOver { return Opened(authority: authority, files: .takenOver) }
        return Opened(authority: authority, files: areOfAnother(files, than: authority) ? .ofAnother : .none)
    }

    /// Whether files have another root certificate. Files that aren't used may
    /// be damaged.
    private func areOfAnother(_ files: AuthorityFolder, than authority: SigningAuthority) -> Bool {
        guard let root = try? files.read()?.entries["root"]?.certificate,
            let roots = try? TrustRoots(pemOrDER: Data(root.utf8))
        else { return false }
        return roots.certificates != [authority.rootCertificate]
    }
}
