// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Registers an app of a team, changes its name, and removes it from the list.
package struct RegisteringApp: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Registers an app, with a number that the store draws. An app whose item
    /// the operator has added has the number of the item, and only the
    /// operator's team registers it.
    ///
    /// - Throws: ``DomainError`` `forbidden`; ``InvalidFields``, also when the
    ///   store has the bundle identifier, or the team has the SKU.
    package func callAsFunction(_ values: AppRegistration.Values, by user: TeamUser) async throws -> AppRegistration {
        try user.require(.registerApps)
        let app = try AppRegistration(checking: values, of: user.team)
        let drawn = Item.drawn(random.bytes(8))
        do {
            // Items have the same numbers, and are written in this scope.
            return try await write(.catalogue(of: Item.catalogue)) { db in
                let actor = try TeamUser.acting(user, may: .registerApps, db)
                var app = app
                // The app exists when the closure runs again after a lost
                // commit.
                if let made = try? AppRegistration.known(app.bundleIdentifier, of: user.team, db) {
                    app.appleIdentifier = made.appleIdentifier
                    if made == app { return made }
                }
                guard try !AppRegistration.isFull(user.team, db) else {
                    throw DomainError(
                        .invalid, "A team has at most \(AppRegistration.limit) apps: ask the store's operator.")
                }
                if let item = try Item.find(app: app.bundleIdentifier, db) {
                    guard item.team == user.team else {
                        throw InvalidFields(problems: [FieldProblem(field: "bundle", kind: .taken)])
                    }
                    app.appleIdentifier = item.identifier
                } else {
                    guard try Item.isFree(drawn, db) else { throw DomainError(.busy, "Try again.") }
                    app.appleIdentifier = drawn
                }
                try app.insert(db)
                try TeamChange.append(
                    .appRegistered, of: app.bundleIdentifier.rawValue, to: app.name, by: actor.email, in: user.team, db)
                return app
            }
        } catch let error as DatabaseError where error.constraint == "app_pkey" {
            throw InvalidFields(problems: [FieldProblem(field: "bundle", kind: .taken)])
        } catch let error as DatabaseError where error.constraint == "app_sku" {
            throw InvalidFields(problems: [FieldProblem(field: "sku", kind: .taken)])
        }
    }

    /// Changes the name of an app, or removes the app from the team's list and
    /// restores it. `version` is that of the page with the form.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`;
    ///   ``InvalidFields``, also when a product of a removed app is for sale.
    package func change(
        _ bundleIdentifier: BundleIdentifier, to change: AppRegistration.Change, version: Int64, by user: TeamUser
    ) async throws {
        try user.require(.registerApps)
        var checks = FieldChecks()
        let name = change.name.map { AppRegistration.checked(name: $0, &checks) }
        let state = change.state.flatMap(AppRegistration.State.init)
        if change.state != nil, state == nil { checks.add("state", .unknown) }
        if change.name == nil, change.state == nil { checks.add("name", .missing) }
        try checks.finish()
        try await write(.catalogue(of: bundleIdentifier)) { db in
            let actor = try TeamUser.acting(user, may: .registerApps, db)
            var app = try AppRegistration.known(bundleIdentifier, of: user.team, db)
            let before = app
            app.name = name ?? app.name
            app.state = state ?? app.state
            guard app != before else { return }
            if app.state == .removed, before.state == .used,
                let product = try ProductRegistration.sold(of: bundleIdentifier, db)
            {
                throw InvalidFields(problems: [FieldProblem(field: "state", kind: .sold, detail: product.rawValue)])
            }
            app.version = version
            guard try app.update(db) else { throw DomainError.changed }
            for (kind, old, new) in [
                (TeamChange.Kind.appName, before.name, app.name),
                (.appState, before.state.rawValue, app.state.rawValue),
            ] where old != new {
                try TeamChange.append(
                    kind, of: bundleIdentifier.rawValue, from: old, to: new, by: actor.email, in: user.team, db)
            }
        }
    }
}
