// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import StoreCore
import StoreDatabase

/// Makes, lists and revokes the codes of an app's offers.
package struct ManagingCodes: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The codes that a seller asks for.
    package struct Order: Sendable {
        package var batch: String
        package var bundleIdentifier: BundleIdentifier
        /// The product of the app; empty for promo codes of the app itself.
        package var productIdentifier: ProductIdentifier
        package var kind: OfferCodeBatch.Kind
        /// The name of the product's code offer; `nil` for promo codes.
        package var offer: String?
        package var name: String
        /// The number of drawn codes; 1 for a custom code.
        package var size: Int
        /// The redemptions of a custom code; 1 for the other kinds.
        package var usesLimit: Int
        /// The end of the codes; `nil` for the usual one of their kind.
        package var expires: WallTime?
        /// The 32 random bytes of drawn codes, which the store doesn't keep;
        /// `nil` for a custom code.
        package var seed: Data?
        /// The text of a custom code; `nil` for the other kinds.
        package var code: String?

        package init(
            batch: String, bundleIdentifier: BundleIdentifier, productIdentifier: ProductIdentifier,
            kind: OfferCodeBatch.Kind, offer: String?, name: String, size: Int = 1, usesLimit: Int = 1,
            expires: WallTime? = nil, seed: Data? = nil, code: String? = nil
        ) {
            self.batch = batch
            self.bundleIdentifier = bundleIdentifier
            self.productIdentifier = productIdentifier
            self.kind = kind
            self.offer = offer
            self.name = name
            self.size = size
            self.usesLimit = usesLimit
            self.expires = expires
            self.seed = seed
            self.code = code
        }
    }

    /// The codes whose hashes one write saves.
    static let page = 500
    /// The most batches of an app that are listed.
    package static let mostListed = 1000

    /// Makes a batch of codes. `also` is a part of the transaction in which a
    /// new batch begins. A call that is repeated with the same values,
    /// also after one that was interrupted, makes the same codes once.
    ///
    /// - Returns: The batch, and its codes in the order of their numbers.
    /// - Throws: ``DomainError``: `invalid`, `notFound` for an unknown product
    ///   or offer and for an app without a store page, `exists` when another
    ///   batch has the identifier or the custom code, `quotaExceeded` when the
    ///   app has too many codes.
    package func create(
        _ order: Order, also: @escaping @Sendable (OfferCodeBatch, StoreTransaction) throws -> Void = { _, _ in }
    ) async throws -> (batch: OfferCodeBatch, codes: [String]) {
        let texts = try codes(of: order)
        var asked = OfferCodeBatch(
            identifier: order.batch, bundleIdentifier: order.bundleIdentifier,
            productIdentifier: order.productIdentifier, kind: order.kind, offer: order.offer ?? "", name: order.name,
            size: order.size, usesLimit: order.usesLimit, fingerprint: Self.fingerprint(of: order), created: now)
        try asked.end(at: order.expires)
        let new = asked
        let first = texts.first?.hash(in: new.bundleIdentifier)
        var batch = try await write(.key("offer codes of \(new.bundleIdentifier)")) { db in
            try Self.begin(new, first: first, also, db)
        }
        while !batch.isComplete {
            faults("codes:page")
            let known = batch
            batch = try await write(.key("offer codes of \(new.bundleIdentifier)")) { db in
                guard let held = try OfferCodeBatch.hold(known.identifier, db) else { return known }
                let hashes = texts[held.made...].prefix(Self.page).map { $0.hash(in: held.bundleIdentifier) }
                try held.append(hashes, db)
                return try OfferCodeBatch.find(known.identifier, db) ?? known
            }
        }
        return (batch, texts.map(\.text))
    }

    /// The texts of the codes.
    private func codes(of order: Order) throws -> [OfferCodeText] {
        guard order.kind != .custom else {
            guard let text = order.code, order.seed == nil, let code = OfferCodeText(typed: text) else {
                throw DomainError(
                    .invalid,
                    "A custom code has \(OfferCodeText.customLengths.lowerBound) to "
                        + "\(OfferCodeText.customLengths.upperBound) letters, digits and hyphens, and no seed.")
            }
            return [code]
        }
        guard let seed = order.seed, seed.count == OfferCodeText.seedLength, order.code == nil else {
            throw DomainError(
                .invalid, "Codes that the store draws need a seed of \(OfferCodeText.seedLength) bytes, and no text.")
        }
        guard (1...OfferCodeBatch.largest).contains(order.size) else {
            throw DomainError(.invalid, "A batch has 1 to \(OfferCodeBatch.largest) codes, not \(order.size).")
        }
        return (0..<order.size).map { OfferCodeText(seed: seed, batch: order.batch, number: $0) }
    }

    /// A hash that differs for other codes.
    static func fingerprint(of order: Order) -> String {
        let secret = order.seed ?? Data((order.code ?? "").uppercased().utf8)
        return Data(SHA256.hash(data: Data("batch \(order.batch) ".utf8) + secret)).hexadecimal
    }

    /// Saves a new batch without codes, or finds the one of an earlier call.
    private static func begin(
        _ batch: OfferCodeBatch, first hash: String?,
        _ also: (OfferCodeBatch, StoreTransaction) throws -> Void, _ db: StoreTransaction
    ) throws -> OfferCodeBatch {
        if let known = try OfferCodeBatch.find(batch.identifier, db) {
            guard known.isSame(as: batch) else {
                throw DomainError(.exists, "Another batch of codes has the identifier \(batch.identifier).")
            }
            return known
        }
        try batch.check()
        let product = try product(of: batch, db)
        guard (batch.kind == .promo) == batch.offer.isEmpty else {
            throw DomainError(.invalid, "A promo code is for the product itself; the other codes name an offer.")
        }
        guard batch.kind == .promo || product.codeOffer(batch.offer) != nil else {
            throw DomainError(.notFound, "\"\(product.productIdentifier)\" has no code offer \"\(batch.offer)\".")
        }
        if batch.kind == .custom, let hash, try OfferCode.batch(of: hash, db) != nil {
            throw DomainError(.exists, "The app has this custom code already, in another batch.")
        }
        try checkQuota(of: batch, db)
        try batch.insert(db)
        try also(batch, db)
        // A word is saved with its batch: no other batch can take it meanwhile.
        guard batch.kind == .custom, let hash else { return batch }
        try batch.append([hash], db)
        return try known(batch.identifier, db)
    }

    /// The product of new codes; for an app itself, that of its store page.
    private static func product(of batch: OfferCodeBatch, _ db: StoreTransaction) throws -> Product {
        guard batch.isForApp else {
            return try Catalogue.known(batch.productIdentifier, of: batch.bundleIdentifier, db)
        }
        guard let item = try Item.find(app: batch.bundleIdentifier, db) else {
            throw DomainError(
                .notFound, "\(batch.bundleIdentifier) has no store page: save it, then make codes for the app.")
        }
        return item.product
    }

    /// Checks how many codes the app has made in this quarter, or in this half
    /// of the year.
    private static func checkQuota(of batch: OfferCodeBatch, _ db: StoreTransaction) throws {
        let start = batch.created.startOfPart(months: batch.kind == .promo ? 6 : 3)
        let isPromo = batch.kind == .promo
        let made = try OfferCodeBatch.totals(
            of: batch.bundleIdentifier, since: start, arePromos: isPromo, product: batch.productIdentifier, db)
        let new = batch.size * batch.usesLimit
        guard isPromo else {
            guard made.batches < OfferCodeBatch.mostBatches, made.codes + new <= OfferCodeBatch.mostOfQuarter else {
                throw DomainError(
                    .quotaExceeded,
                    "An app has \(OfferCodeBatch.mostOfQuarter) codes and \(OfferCodeBatch.mostBatches) batches in a "
                        + "quarter: make fewer.")
            }
            return
        }
        guard made.codes + new <= OfferCodeBatch.mostPromosOfApp,
            made.ofProduct + new <= OfferCodeBatch.mostPromosOfProduct
        else {
            throw DomainError(
                .quotaExceeded,
                "In half a year an app has \(OfferCodeBatch.mostPromosOfApp) promo codes, and each product "
                    + "\(OfferCodeBatch.mostPromosOfProduct): make fewer.")
        }
    }

    /// The oldest batches of an app, at most ``mostListed``.
    package func callAsFunction(of bundleIdentifier: BundleIdentifier) async throws -> [OfferCodeBatch] {
        try await read { db in try OfferCodeBatch.all(of: bundleIdentifier, limit: Self.mostListed, db) }
    }

    /// A batch with the redemptions of its redeemed codes, by their numbers.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func redeemed(_ batch: String) async throws -> (batch: OfferCodeBatch, numbers: [Int: Int]) {
        try await read { db in
            let found = try Self.known(batch, db)
            return (found, try found.redeemed(db))
        }
    }

    /// Revokes a batch: its codes that aren't redeemed yet can't be redeemed
    /// any more. Purchases that were made with the others stay, with their
    /// offers.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func revoke(_ batch: String) async throws -> OfferCodeBatch {
        try await write(.key("offer code batch \(batch)")) { db in
            _ = try Self.known(batch, db)
            try OfferCodeBatch.revoke(batch, db)
            return try Self.known(batch, db)
        }
    }

    private static func known(_ batch: String, _ db: StoreTransaction) throws -> OfferCodeBatch {
        guard let found = try OfferCodeBatch.find(batch, db) else {
            throw DomainError(.notFound, "The store has no batch of codes \(batch).")
        }
        return found
    }
}
