// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Makes, lists, revokes and writes the codes of an app of a team, those of its
/// products and those of the app itself.
///
/// A batch begins with its seed and its entry of the log in one transaction. An
/// interrupted creation is completed with the same codes.
package struct MakingAppCodes: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A batch of the list.
    package struct Listed: Hashable, Sendable {
        package var batch: OfferCodeBatch
        /// Whether the codes can be downloaded.
        package var hasCodes: Bool
    }

    /// The batches of a page, newest first.
    package static let pageSize = 50

    /// Makes drawn codes, or one of a word. A call that names its batch makes
    /// the codes once, however often it is repeated: a repeated one completes
    /// the batch.
    ///
    /// - Returns: The identifier of the batch.
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, and those of
    ///   ``ManagingCodes/create(_:also:)`` and ``complete(_:of:by:)``;
    ///   ``InvalidFields``, also for the name of a batch with other values.
    package func callAsFunction(
        _ values: CodeValues, isWord: Bool, of app: BundleIdentifier, by user: TeamUser
    ) async throws -> String {
        try user.require(.manageOffers)
        let batch = values.batch.isEmpty ? random.hexadecimal(bytes: CodeValues.batchBytes) : values.batch
        let seed = random.bytes(OfferCodeText.seedLength)
        let order = try values.order(of: app, isWord: isWord, batch: batch, seed: seed)
        try await check(order, by: user)
        if try await completeEarlier(order, by: user) { return batch }
        try await create(order, by: user) { new, db in
            try Team.hold(user.team, db)
            let actor = try TeamUser.acting(user, may: .manageOffers, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            if !isWord { try CodeSeed(batch: batch, seed: seed, created: db.now).insert(db) }
            try TeamChange.append(
                .codesMade, of: new.subject,
                to: "\(new.name): \(new.kind.rawValue) \(new.offer) \(new.size) × \(new.usesLimit)", by: actor.email,
                in: actor.team, db)
        }
        return batch
    }

    /// Refuses a product or an offer that isn't there, beside its field.
    ///
    /// - Throws: ``InvalidFields``; ``DomainError`` `invalid` for the codes of
    ///   an app without a store page.
    private func check(_ order: ManagingCodes.Order, by user: TeamUser) async throws {
        try await read { db in
            let actor = try TeamUser.acting(user, may: .manageOffers, db)
            _ = try AppRegistration.known(order.bundleIdentifier, of: actor.team, db)
            if order.productIdentifier.rawValue.isEmpty {
                guard try Item.find(app: order.bundleIdentifier, db) == nil else { return }
                throw DomainError(.invalid, "The app has no store page: save it, then make codes for the app.")
            }
            let product = try Catalogue.saved(order.productIdentifier, of: order.bundleIdentifier, db)
            guard let product else { throw InvalidFields(problems: [FieldProblem(field: "product", kind: .unknown)]) }
            if let offer = order.offer, product.codeOffer(offer) == nil {
                throw InvalidFields(problems: [FieldProblem(field: "offer", kind: .unknown)])
            }
        }
    }

    private func create(
        _ order: ManagingCodes.Order, by user: TeamUser,
        also: @escaping @Sendable (OfferCodeBatch, StoreTransaction) throws -> Void
    ) async throws {
        do {
            _ = try await ManagingCodes(context).create(order, also: also)
        } catch let error as DomainError where error.code == .exists {
            // The same call has begun the batch meanwhile, with its own seed.
            if try await completeEarlier(order, by: user) { return }
            throw InvalidFields(problems: [FieldProblem(field: "word", kind: .taken)])
        } catch let error as DomainError where error.code == .quotaExceeded {
            throw DomainError(.invalid, error.message)
        }
    }

    /// Completes the batch of an order that an earlier call has begun.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``InvalidFields`` when it has other values.
    private func completeEarlier(_ order: ManagingCodes.Order, by user: TeamUser) async throws -> Bool {
        guard let known = try await read({ db in try OfferCodeBatch.find(order.batch, db) }) else { return false }
        guard known.isMade(by: order) else {
            throw InvalidFields(problems: [FieldProblem(field: "batch", kind: .taken)])
        }
        try await complete(order.batch, of: order.bundleIdentifier, by: user)
        return true
    }

    /// Completes a batch whose creation was interrupted. One that is complete
    /// stays as it is.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `invalid` when its
    ///   seed isn't kept any more.
    package func complete(_ batch: String, of app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.manageOffers)
        let (known, seed) = try await read { db in
            _ = try TeamUser.acting(user, may: .manageOffers, db)
            return try Self.known(batch, of: app, user.team, db)
        }
        if known.isComplete { return }
        guard let seed else { throw Self.expired }
        var context = context
        context.beginsWrites = { db in
            try Team.hold(user.team, db)
            _ = try TeamUser.acting(user, may: .manageOffers, db)
        }
        _ = try await ManagingCodes(context).create(
            ManagingCodes.Order(
                batch: batch, bundleIdentifier: app, productIdentifier: known.productIdentifier, kind: known.kind,
                offer: known.offer.isEmpty ? nil : known.offer, name: known.name, size: known.size,
                usesLimit: known.usesLimit, seed: seed.seed))
    }

    /// The batches of an app before one, newest first.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; ``InvalidFields``
    ///   when the app has no batch `before`.
    package func batches(
        of app: BundleIdentifier, before batch: String = "", as user: TeamUser
    ) async throws -> (entries: [Listed], next: String?) {
        try user.require(.manageOffers)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .manageOffers, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            let place = batch.isEmpty ? nil : try OfferCodeBatch.find(batch, db)
            guard batch.isEmpty || place?.bundleIdentifier == app else {
                throw InvalidFields(problems: [FieldProblem(field: "before", kind: .malformed)])
            }
            let page = try OfferCodeBatch.page(of: app, before: place, limit: Self.pageSize + 1, db)
            let shown = try page.prefix(Self.pageSize).map { batch in
                Listed(batch: batch, hasCodes: try CodeSeed.find(batch.identifier, db) != nil)
            }
            return (shown, page.count > Self.pageSize ? shown.last?.batch.identifier : nil)
        }
    }

    /// A batch of an app.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func batch(_ batch: String, of app: BundleIdentifier, as user: TeamUser) async throws -> Listed {
        try user.require(.manageOffers)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .manageOffers, db)
            let (known, seed) = try Self.known(batch, of: app, user.team, db)
            return Listed(batch: known, hasCodes: seed != nil)
        }
    }

    /// The codes of a batch as a table, with their redemptions.
    ///
    /// - Throws: The errors of ``codes(of:of:as:)``.
    package func contents(of batch: String, of app: BundleIdentifier, as user: TeamUser) async throws -> Data {
        let lines = try await codes(of: batch, of: app, as: user).map { code in
            CSVText.line([code.code, String(code.redeemed)])
        }
        return Data((CSVText.line(["code", "redeemed"]) + lines.joined()).utf8)
    }

    /// The codes of a batch, with the number of redemptions of each.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `invalid` for a batch
    ///   that isn't complete, and when its seed isn't kept any more.
    package func codes(
        of batch: String, of app: BundleIdentifier, as user: TeamUser
    ) async throws -> [(code: String, redeemed: Int)] {
        try user.require(.manageOffers)
        let (size, seed, redeemed) = try await read { db in
            _ = try TeamUser.acting(user, may: .manageOffers, db)
            let (known, seed) = try Self.known(batch, of: app, user.team, db)
            guard let seed else { throw Self.expired }
            guard known.isComplete else { throw Self.incomplete }
            return (known.size, seed.seed, try known.redeemed(db))
        }
        // Drawing thousands of codes holds no reader of the database.
        return (0..<size).map { number in
            (OfferCodeText(seed: seed, batch: batch, number: number).text, redeemed[number] ?? 0)
        }
    }

    /// Revokes a batch: its codes that aren't redeemed can't be redeemed any
    /// more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func revoke(_ batch: String, of app: BundleIdentifier, by user: TeamUser) async throws {
        try user.require(.manageOffers)
        faults("revoke-codes:before")
        try await write(.key("offer code batch \(batch)")) { db in
            try Team.hold(user.team, db)
            let actor = try TeamUser.acting(user, may: .manageOffers, db)
            let (known, _) = try Self.known(batch, of: app, actor.team, db)
            guard known.revoked == nil else { return }
            try OfferCodeBatch.revoke(batch, db)
            try TeamChange.append(
                .codesRevoked, of: known.subject, to: known.name, by: actor.email, in: actor.team, db)
        }
        faults("revoke-codes:after")
    }

    /// A batch of an app of a team, with its seed if it is kept.
    private static func known(
        _ batch: String, of app: BundleIdentifier, _ team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> (OfferCodeBatch, CodeSeed?) {
        _ = try AppRegistration.known(app, of: team, db)
        guard let known = try OfferCodeBatch.find(batch, db), known.bundleIdentifier == app else {
            throw DomainError(.notFound, "The app has no such batch of codes.")
        }
        return (known, try CodeSeed.find(batch, db))
    }

    private static let expired = DomainError(
        .invalid, "The codes can't be downloaded any more: revoke the batch, and make another one.")
    private static let incomplete = DomainError(.invalid, "The codes aren't all made: complete the batch first.")
}

extension OfferCodeBatch {
    /// The product or the app of its codes, as the log has it.
    fileprivate var subject: String { isForApp ? bundleIdentifier.rawValue : productIdentifier.rawValue }

    /// Whether a repeated order has the values of the batch. The seed of drawn
    /// codes is another one in each call, and the usual end depends on the
    /// time.
    fileprivate func isMade(by order: ManagingCodes.Order) -> Bool {
        bundleIdentifier == order.bundleIdentifier && productIdentifier == order.productIdentifier
            && kind == order.kind && offer == order.offer ?? "" && name == order.name && size == order.size
            && usesLimit == order.usesLimit && order.expires.map { $0 == expires } ?? true
            && (kind != .custom || fingerprint == ManagingCodes.fingerprint(of: order))
    }
}
