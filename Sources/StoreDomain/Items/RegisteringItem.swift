// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore
import StoreDatabase

/// Registers items of a team in Connect, changes them and their images, and
/// reads them.
///
/// Each change is one transaction with its entry of the log.
package struct RegisteringItem: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most items of a team that users register. The operator adds more.
    package static let limit = 1000

    /// An item with the digests of its images by their places: 0 is the icon.
    package struct Registered: Sendable {
        package var item: Item
        package var images: [(place: Int, digest: String)]
    }

    /// The items of the user's team of a kind, or of all kinds, that contain a
    /// text, in an order.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func page(
        kind: String = "", containing text: String = "", by sort: ItemSort = .usual, after place: ListPlace? = nil,
        as user: TeamUser
    ) async throws -> ReadingTeam.Page<ListedItem, ListPlace> {
        try user.require(.seeApps)
        let search = try SearchText(text)
        return try await ReadingTeam.Page(after: place) { last, limit in
            try await read { db in
                let actor = try TeamUser.acting(user, may: .seeApps, db)
                return try ListedItem.page(
                    of: actor.team, by: sort, after: last, limit: limit, withTitles: !search.isEmpty, db)
            }
        } matching: { item in
            (kind.isEmpty || item.kind.rawValue == kind) && search.matches([String(item.identifier)] + item.titles)
        }
    }

    /// An item of the user's team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func item(_ identifier: Int64, as user: TeamUser) async throws -> Registered {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            let item = try Item.known(identifier, of: actor.team, db)
            return Registered(item: item, images: try ItemArtwork.digests(of: identifier, db))
        }
    }

    /// Registers an item under a number that the store draws.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `invalid` for a team with
    ///   ``limit`` items; ``InvalidFields``.
    package func add(_ values: Item.Values, by user: TeamUser) async throws -> Item {
        try user.require(.editProducts)
        let identifier = Item.drawn(random.bytes(8))
        return try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            let item = try Item(checking: values, identifier: identifier, of: Self.team(of: actor, db), at: db.now)
            // The item exists when the closure runs again after a lost commit.
            if let made = try Item.find(identifier, db) {
                guard made.team == actor.team else { throw DomainError(.busy, "Try again.") }
                return made
            }
            // All items are written in one scope, so that two users don't exceed the limit together.
            guard try !Item.has(Self.limit, of: actor.team, db) else {
                throw DomainError(
                    .invalid, "A team has at most \(Self.limit) items: change one, or ask the store's operator.",
                    reason: .itemsFull)
            }
            guard try Item.isFree(identifier, db) else { throw DomainError(.busy, "Try again.") }
            try item.saveWhole(db)
            try TeamChange.append(
                .itemAdded, of: String(identifier), to: item.facts, by: actor.email, in: actor.team, db)
            return item
        }
    }

    /// Changes an item. `edits` is the number of its changes that the page
    /// with the form had. Purchases keep the version of their moment.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`;
    ///   ``InvalidFields``.
    package func change(_ identifier: Int64, to values: Item.Values, edits: Int64, by user: TeamUser) async throws {
        try user.require(.editProducts)
        try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            let before = try Item.known(identifier, of: actor.team, db)
            var after = try Item(
                checking: values, identifier: identifier, of: Self.team(of: actor, db), replacing: before, at: db.now)
            after.seller = before.seller
            // It is as it should be when the closure runs again.
            guard after.facts != before.facts || after.product.localizations != before.product.localizations else {
                return
            }
            guard before.edits == edits else { throw DomainError.changed }
            try after.saveWhole(db)
            try TeamChange.append(
                .itemChanged, of: String(identifier), from: before.facts, to: after.facts, by: actor.email,
                in: actor.team, db)
        }
    }

    /// Saves an image at a place, 0 for the icon; for `nil`, as another
    /// screenshot.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; ``InvalidFields``.
    package func setImage(_ bytes: Data, at place: Int?, of item: Item.Place, by user: TeamUser) async throws {
        try user.require(.editProducts)
        try await read { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try Item.known(item, of: actor.team, db)
        }
        let field = place == 0 ? "icon" : "screenshot"
        func problem(_ kind: FieldProblem.Kind, limit: Int? = nil) -> InvalidFields {
            InvalidFields(problems: [FieldProblem(field: field, kind: kind, limit: limit)])
        }
        guard !bytes.isEmpty else { throw problem(.missing) }
        guard bytes.count <= ItemArtwork.largest else { throw problem(.fileTooLarge, limit: 5) }
        guard let image = try? ItemArtwork(bytes) else { throw problem(.malformed) }
        let tooMany = problem(.tooLarge)
        try await changeImages(of: item, by: user) { identifier, images, db in
            guard !images.contains(where: { $0.digest == image.digest && (place == nil || $0.place == place) }) else {
                return nil
            }
            let used = Set(images.map(\.place))
            guard let free = place ?? (1...ItemArtwork.screenshots).first(where: { !used.contains($0) }),
                try ItemArtwork.bytes(of: identifier, besides: free, db) + bytes.count <= ItemArtwork.largest
            else { throw tooMany }
            try image.save(at: free, of: identifier, db)
            return image.digest
        }
    }

    /// Removes the image at a place, if there is one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func removeImage(at place: Int, of item: Item.Place, by user: TeamUser) async throws {
        try user.require(.editProducts)
        try await changeImages(of: item, by: user) { identifier, images, db in
            guard images.contains(where: { $0.place == place }) else { return nil }
            try ItemArtwork.remove(at: place, of: identifier, db)
            return ""
        }
    }

    /// Runs a change of the images of an item, whose number it gets. It returns
    /// the new image's digest for the log, and `nil` when it has changed
    /// nothing.
    private func changeImages(
        of item: Item.Place, by user: TeamUser,
        _ change: @escaping @Sendable (Int64, [(place: Int, digest: String)], StoreTransaction) throws -> String?
    ) async throws {
        try await write(.catalogue(of: Item.catalogue)) { db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            let identifier = try Item.known(item, of: actor.team, db).identifier
            let images = try ItemArtwork.digests(of: identifier, db)
            guard let digest = try change(identifier, images, db) else { return }
            try TeamChange.append(
                .imageChanged, of: item.subject, to: digest, by: actor.email, in: actor.team, db)
        }
    }

    private static func team(of user: TeamUser, _ db: StoreTransaction) throws -> Team {
        guard let team = try Team.find(user.team, db) else { throw TeamUser.signedOut }
        return team
    }
}

extension Item {
    /// A number of ten digits for an item, of random bytes.
    static func drawn(_ bytes: Data) -> Int64 {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return 1_000_000_000 + Int64(number % 9_000_000_000)
    }
}
