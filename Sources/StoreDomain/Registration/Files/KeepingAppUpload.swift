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

    /// The user's file whose changes are to be made; `nil` when they were made
    /// with this version.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `invalid` without a
    ///   file.
    func unapplied(
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
