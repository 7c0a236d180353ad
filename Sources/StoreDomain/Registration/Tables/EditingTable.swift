// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Writes the prices and texts of an app's products as a table, compares an
/// edited table with them, and saves its changes.
///
/// As with ``ImportingAppFile``, the changes are those that were shown, are
/// found before the write, and are saved in one transaction.
package struct EditingTable: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A table that waits for the user's decision.
    package struct Waiting: Sendable {
        package var name: String
        package var diff: TableDiff
    }

    private var uploads: KeepingAppUpload { KeepingAppUpload(context: context, kind: .table) }

    /// The table of all products of an app, sold or not.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func contents(of app: BundleIdentifier, as user: TeamUser) async throws -> Data {
        try user.require(.seeApps)
        let products = try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            return try AppState.load(of: app, db).products
        }
        return Data(ProductTable.text(of: products).utf8)
    }

    /// Keeps a table until the user decides about its changes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `invalid` for a
    ///   file that is empty, too large or not in UTF-8.
    package func upload(
        _ contents: Data, named name: String, to app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        let name = AppUpload.cleaned(name: name)
        _ = try AppUpload.text(of: contents, named: name)
        try await uploads.keep(contents, named: name, of: app, by: user)
    }

    /// The user's table that waits, with its changes; `nil` without one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func waiting(of app: BundleIdentifier, as user: TeamUser) async throws -> Waiting? {
        try user.require(.editProducts)
        let found = try await read { db in
            try uploads.waiting(of: app, as: user, db).map { ($0, try AppState.load(of: app, db)) }
        }
        // Neither the parsing nor the comparison holds a reader of the database.
        guard let (upload, state) = found else { return nil }
        let diff = TableDiff(of: String(decoding: upload.contents, as: UTF8.self), over: state)
        return Waiting(name: upload.name, diff: diff)
    }

    /// Saves the changes of the user's table that waits, which were shown with
    /// a version. A repeated call changes nothing more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `changed` when the
    ///   table would make other changes now; `invalid` without a table, and for
    ///   one with problems.
    package func callAsFunction(of app: BundleIdentifier, version: String, by user: TeamUser) async throws {
        try user.require(.editProducts)
        let numbers = random.hexadecimal(bytes: 13)
        faults("table:before")
        try await uploads.apply(of: app, version: version, by: user) { upload in
            let state = try await read { db in try AppState.load(of: app, db) }
            let diff = TableDiff(of: String(decoding: upload.contents, as: UTF8.self), over: state)
            guard diff.version == version else { throw DomainError.changed }
            guard diff.problems.isEmpty else {
                throw DomainError(.invalid, "The table has cells that can't be saved: mend them, and upload it again.")
            }
            return KeepingAppUpload.Plan(
                changes: (state.products, diff.products, "\(upload.name): \(diff.text)"), state: state.version)
        } save: { plan, db in
            let (before, products, text) = plan
            let known = Dictionary(before.map { ($0.product.productIdentifier, $0.product) }) { first, _ in first }
            for (place, product) in products.enumerated() {
                try product.save(db)
                guard let old = known[product.product.productIdentifier] else { continue }
                let own = numbers + String(place + 0x10000, radix: 16)
                try RegisteringProduct.notePrices(old, product.product, own, db)
            }
            try TeamChange.append(.tableImported, of: app.rawValue, to: text, by: user.email, in: user.team, db)
        }
        faults("table:after")
    }

    /// Deletes the user's table that waits. Nothing else changes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func discard(of app: BundleIdentifier, by user: TeamUser) async throws {
        try await uploads.discard(of: app, by: user)
    }
}
