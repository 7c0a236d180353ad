// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Keeps a file of a user of Connect until the user decides about its changes,
/// and deletes it.
struct KeepingAppUpload: UseCase {
    let context: StoreContext
    let kind: AppUpload.Kind

    /// Keeps a checked file, in the place of the user's earlier one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` when too
    ///   many files of the team wait.
    func keep(
        _ contents: Data, named name: String, withdraws: Bool = false, of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        faults("upload:before")
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let upload = AppUpload(
                app: app, user: actor.identifier, kind: kind, name: name, contents: contents, withdraws: withdraws,
                uploaded: db.now)
            guard try !upload.isOneTooMany(in: actor.team, db) else {
                throw DomainError(
                    .invalid,
                    "\(AppUpload.mostOfATeam) files of your team wait: import one, or discard it, and upload again.")
            }
            try upload.save(db)
        }
        faults("upload:after")
    }

    /// The user's file that waits; `nil` without one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    func waiting(
        of app: BundleIdentifier, as user: TeamUser, _ db: StoreTransaction
    ) throws -> AppUpload? {
        let actor = try TeamUser.acting(user, may: .editProducts, db)
        _ = try AppRegistration.known(app, of: actor.team, db)
        let upload = try AppUpload.find(kind, of: app, by: actor.identifier, db)
        return upload?.applied == nil ? upload : nil
    }

    /// The changes of a file, with the version of the state of the app with which it was compared.
    struct Plan<Changes: Sendable>: Sendable {
        var changes: Changes
        var state: AppState.Version
    }

    /// How often a file is compared, when others change the app all the time.
    private static let attempts = 5

    /// Makes the changes of the user's file that waits, which were shown with
    /// a version. A repeated call changes nothing more.
    ///
    /// `plan` reads, parses and compares before the write. The write, which is one transaction, finds by its version whether
    /// the app is still as it was compared; if it isn't, the file is compared again.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `invalid` without a file; `busy` when the app is never still;
    ///   the errors of the closures.
    func apply<Changes: Sendable>(
        of app: BundleIdentifier, version: String, by user: TeamUser, plan: (AppUpload) async throws -> Plan<Changes>,
        save: @escaping @Sendable (Changes, StoreTransaction) throws -> Void
    ) async throws {
        for _ in 0..<Self.attempts {
            let found = try await read { db in try unapplied(of: app, version: version, by: user, db) }
            guard let upload = found else { return }
            let compared = try await plan(upload)
            faults("upload:compared")
            do {
                let isOver = try await write(.catalogue(of: app)) { db in
                    // It is applied when the closure runs again after a lost commit.
                    guard let now = try unapplied(of: app, version: version, by: user, db) else { return true }
                    guard now == upload, try AppState.version(of: app, db) == compared.state else { return false }
                    try save(compared.changes, db)
                    try upload.markApplied(version, db)
                    return true
                }
                if isOver { return }
            } catch let error as DatabaseError where error.constraint == "team_product_pkey" {
                // Another app of the team has taken an identifier meanwhile, which the next comparison shows.
            }
        }
        throw DomainError(.busy, "The products of the app are being changed: try again.")
    }

    /// The user's file whose changes are to be made; `nil` when they were made
    /// with this version.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` without a
    ///   file.
    private func unapplied(
        of app: BundleIdentifier, version: String, by user: TeamUser, _ db: StoreTransaction
    ) throws -> AppUpload? {
        let actor = try TeamUser.acting(user, may: .editProducts, db)
        _ = try AppRegistration.known(app, of: actor.team, db)
        guard let upload = try AppUpload.find(kind, of: app, by: actor.identifier, db) else { throw AppUpload.missing }
        if upload.applied == version { return nil }
        guard upload.applied == nil else { throw AppUpload.missing }
        return upload
    }

    /// Deletes the user's file. Nothing else changes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    func discard(of app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.editProducts)
        try await write(.catalogue(of: app)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            try AppUpload.delete(kind, of: app, by: actor.identifier, db)
        }
    }
}
