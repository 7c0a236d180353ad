// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Compares a `.storekit` file with the products of a team's app, imports it,
/// and writes the app's products as such a file.
///
/// A user uploads a file, sees its changes, and decides about them. The import
/// compares the file before its write, and saves all changes in one
/// transaction. It has the version of the changes that were shown: when
/// the file would change other values by now, nothing is changed. A new product
/// waits for its submission to the review, and a changed one keeps the
/// review's decision.
package struct ImportingAppFile: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A file that waits for the user's decision, with the changes that it
    /// would make now.
    package struct Waiting: Sendable {
        package var name: String
        package var withdraws: Bool
        package var diff: AppFileDiff
    }

    private var uploads: KeepingAppUpload { KeepingAppUpload(context: context, kind: .configuration) }

    /// The app's products as a file, as `storectl catalogue export` writes it,
    /// also those that aren't sold because they lack texts. Xcode's file may contain the private key of promotional offers, so that
    /// only users who edit products get it.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `configuration` for
    ///   an imported file that this version can't read.
    package func contents(of app: BundleIdentifier, as user: TeamUser) async throws -> Data {
        try user.require(.editProducts)
        let (catalogue, source) = try await read { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            return (try AppState.load(of: app, db).cleared, try CatalogueSource.find(of: app, db))
        }
        var export = try CatalogueExport(of: catalogue, bundleIdentifier: app, from: source)
        return try export.contents()
    }

    /// Keeps a file until the user decides about its changes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `invalid` for a file
    ///   that can't be read, with the place in the file.
    package func upload(
        _ contents: Data, named name: String, withdraws: Bool, to app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        let name = AppUpload.cleaned(name: name)
        _ = try AppUpload.text(of: contents, named: name)
        _ = try Self.file(contents, name, of: app)
        try await uploads.keep(contents, named: name, withdraws: withdraws, of: app, by: user)
    }

    /// The user's file that waits, with its changes; `nil` without one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func waiting(of app: BundleIdentifier, as user: TeamUser) async throws -> Waiting? {
        try user.require(.editProducts)
        guard let upload = try await read({ db in try uploads.waiting(of: app, as: user, db) }) else { return nil }
        let diff = try await compare(upload, as: user).diff
        return Waiting(name: upload.name, withdraws: upload.withdraws, diff: diff)
    }

    /// Makes the changes of the user's file that waits, which were shown with
    /// a version. A repeated call changes nothing more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `changed` when the
    ///   file would make other changes now; `invalid` without a file, and for
    ///   one with problems.
    package func callAsFunction(of app: BundleIdentifier, version: String, by user: TeamUser) async throws {
        try user.require(.editProducts)
        let numbers = random.hexadecimal(bytes: 14)
        faults("import-file:before")
        try await uploads.apply(of: app, version: version, by: user) { upload in
            let (file, state, diff) = try await compare(upload, as: user)
            guard diff.version == version else { throw DomainError.changed }
            guard diff.problems.isEmpty else {
                throw DomainError(
                    .invalid, "The file has values that can't be imported: mend them, and upload it again.")
            }
            return KeepingAppUpload.Plan(
                changes: (file, state, diff, "\(upload.name): \(diff.text)"), state: state.version)
        } save: { plan, db in
            let (file, state, diff, text) = plan
            try Self.save(diff, of: file, over: state, in: app, of: user.team, numbers, db)
            try TeamChange.append(.fileImported, of: app.rawValue, to: text, by: user.email, in: user.team, db)
        }
        faults("import-file:after")
    }

    /// Deletes the user's file that waits. Nothing else changes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func discard(of app: BundleIdentifier, by user: TeamUser) async throws {
        try await uploads.discard(of: app, by: user)
    }

    /// Compares a file with the state of its app. Neither the parsing nor the comparison holds a connection of the database.
    private func compare(
        _ upload: AppUpload, as user: TeamUser
    ) async throws -> (file: StoreKitConfigurationFile, state: AppState, diff: AppFileDiff) {
        let file = try Self.file(upload.contents, upload.name, of: upload.app)
        let (state, taken) = try await read { db in
            _ = try TeamUser.acting(user, may: .editProducts, db)
            let state = try AppState.load(of: upload.app, db)
            let known = Set(state.products.map(\.product.productIdentifier))
            let new = file.products.map(\.productIdentifier).filter { !known.contains($0) }
            return (state, try AppState.taken(new, in: user.team, db))
        }
        return (file, state, AppFileDiff(of: file, over: state, taken: taken, withdraws: upload.withdraws))
    }

    private static func save(
        _ diff: AppFileDiff, of file: StoreKitConfigurationFile, over state: AppState, in app: BundleIdentifier,
        of team: TeamIdentifier, _ numbers: String, _ db: StoreTransaction
    ) throws {
        for group in diff.groups { try group.save(db) }
        let known = Dictionary(state.products.map { ($0.product.productIdentifier, $0) }) { first, _ in first }
        for (place, product) in diff.products.enumerated() {
            let old = known[product.productIdentifier]
            try save(product, over: old, of: team, db)
            if let old {
                let own = numbers + String(place + 0x10000, radix: 16)
                try RegisteringProduct.notePrices(old.product, product, own, db)
            }
        }
        for identifier in diff.withdrawn {
            guard var product = known[identifier] else { continue }
            product.isCleared = false
            try product.save(db)
        }
        if let days = diff.gracePeriodDays { try Catalogue.setGracePeriod(days: days, of: app, db) }
        try saveKey(of: file, in: app, db)
        try CatalogueSource(
            bundleIdentifier: app, name: file.name, contents: file.contents, checksum: file.checksum,
            importedAt: db.now
        ).saveOfTeam(db)
    }

    private static func save(
        _ product: Product, over old: ProductRegistration?, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws {
        var registration =
            old
            ?? ProductRegistration(product: product, hasPrice: true, isCleared: true, review: .prepared, version: 0)
        if old == nil { try registration.claim(for: team, db) }
        registration.product = product
        registration.hasPrice = true
        registration.isCleared = product.isForSale
        try registration.save(db)
    }

    /// Saves the file's key for promotional offers. A file without one leaves
    /// the key of an earlier file.
    private static func saveKey(
        of file: StoreKitConfigurationFile, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        guard let pair = file.offerKey else { return }
        let key = InAppPurchaseKey(
            identifier: pair.identifier, bundleIdentifier: app, name: String(file.name.suffix(50)),
            publicKey: pair.publicKey, created: db.now)
        try key.check()
        try InAppPurchaseKey.replaceKey(ofFileOf: app, by: key, db)
    }

    private static func file(
        _ contents: Data, _ name: String, of app: BundleIdentifier
    ) throws -> StoreKitConfigurationFile {
        do {
            return try StoreKitConfigurationFile(contents, file: name, bundleIdentifier: app)
        } catch let error as DomainError where error.code == .configuration {
            throw DomainError(.invalid, error.message)
        }
    }
}
