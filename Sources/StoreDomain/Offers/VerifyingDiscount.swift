// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore
import StoreDatabase

/// The check of an offer's signature when a payment is asked for. A nonce serves
/// one request, also one that fails.
enum VerifyingDiscount {
    /// Why a signature is wrong: the end of a sentence that begins with "The
    /// signature of the offer".
    struct Mistake: Error {
        var reason: String
    }

    /// Verifies the signature and uses up the nonce.
    ///
    /// - Returns: the reason for which the payment fails; `nil` when the
    ///   signature is valid.
    static func refusal(
        of discount: PaymentDiscount, _ request: DeviceRequest, _ product: Product, _ db: StoreTransaction
    ) throws -> PurchaseFailure? {
        do {
            let signed =
                try discount.token.map { try verified($0, of: discount, request, product, db) }
                ?? verified(discount, request, product, db)
            if let reason = signed.refusal(at: db.now) { return invalid(reason) }
            return try use(signed, db) ? nil : invalid("has a nonce that was used already: sign each payment anew")
        } catch let mistake as Mistake {
            return invalid(mistake.reason)
        }
    }

    /// The values of StoreKit 1's signature, verified.
    private static func verified(
        _ discount: PaymentDiscount, _ request: DeviceRequest, _ product: Product, _ db: StoreTransaction
    ) throws -> OfferSignature {
        guard let signature = signature(of: discount) else {
            throw Mistake(reason: "isn't the base64 of an ECDSA signature in DER")
        }
        let signed = OfferSignature(
            bundleIdentifier: request.bundleIdentifier.rawValue, keyIdentifier: discount.keyIdentifier,
            productIdentifier: product.productIdentifier.rawValue, offerIdentifier: discount.identifier,
            username: request.applicationUsername ?? "", nonce: discount.nonce, timestamp: discount.timestamp)
        let keys = try InAppPurchaseKey.all(of: request.bundleIdentifier, db)
        let key = try key(discount.keyIdentifier, among: keys, db)
        guard signed.spellings.contains(where: { $0.isSigned(signature, by: key) }) else {
            let alternatives = try alternatives(to: signed, keys, product, request, db)
            let mistake = signed.mistake(in: signature, by: key, alternatives)
            throw Mistake(reason: mistake ?? "isn't one of the payment's values by the key \(discount.keyIdentifier)")
        }
        return signed
    }

    /// The values of a JWS, verified.
    private static func verified(
        _ text: String, of discount: PaymentDiscount, _ request: DeviceRequest, _ product: Product,
        _ db: StoreTransaction
    ) throws -> OfferSignature {
        let token = try OfferToken(text)
        let keys = try InAppPurchaseKey.all(of: request.bundleIdentifier, db)
        guard token.isSigned(by: try key(token.keyIdentifier, among: keys, db)) else {
            throw Mistake(reason: "isn't one by the key \(token.keyIdentifier), or the JWS was changed")
        }
        let refusal = token.refusal(of: discount, product.productIdentifier, in: request.bundleIdentifier)
        if let refusal { throw Mistake(reason: refusal) }
        return token.values
    }

    /// The public key of an identifier.
    private static func key(
        _ identifier: String, among keys: [InAppPurchaseKey], _ db: StoreTransaction
    ) throws -> P256.Signing.PublicKey {
        // A key of the app's file comes before one of all apps.
        let named = keys.last { $0.identifier == identifier }
        guard let named, let key = named.verifying else {
            throw Mistake(reason: "names the key \"\(identifier)\", which the store doesn't have")
        }
        guard named.bundleIdentifier == nil || db.environment != .production else {
            throw Mistake(reason: "is of the configuration file's key \(identifier), which is valid in a sandbox only")
        }
        guard named.revoked == nil else { throw Mistake(reason: "is of the key \(identifier), which was revoked") }
        return key
    }

    /// Uses up the nonce; `false` when another request has used it.
    private static func use(_ signed: OfferSignature, _ db: StoreTransaction) throws -> Bool {
        let inserted = try db.run(
            """
            INSERT INTO offer_nonce (environment, bundle_id, key_id, nonce, used_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, bundle_id, key_id, nonce) DO NOTHING
            """,
            [
                db.environment.rawValue, signed.bundleIdentifier, signed.keyIdentifier, signed.nonce.lowercased(),
                db.now.milliseconds,
            ])
        return inserted == 1
    }

    private static func signature(of discount: PaymentDiscount) -> P256.Signing.ECDSASignature? {
        Data(base64Encoded: discount.signature).flatMap { try? P256.Signing.ECDSASignature(derRepresentation: $0) }
    }

    private static func alternatives(
        to signed: OfferSignature, _ keys: [InAppPurchaseKey], _ product: Product, _ request: DeviceRequest,
        _ db: StoreTransaction
    ) throws -> OfferSignature.Alternatives {
        let other = keys.filter { $0.identifier != signed.keyIdentifier }.prefix(20)
        let offers = product.offers.filter { $0.kind == .promotional && $0.identifier != signed.offerIdentifier }
        return OfferSignature.Alternatives(
            keys: Dictionary(other.compactMap { key in key.verifying.map { (key.identifier, $0) } }) { first, _ in first
            },
            bundleIdentifiers: try column(
                "SELECT bundle_id AS name FROM app WHERE bundle_id > '' AND bundle_id <> $1 ORDER BY bundle_id LIMIT 50",
                request.bundleIdentifier, db),
            productIdentifiers: try column(
                """
                SELECT product_id AS name FROM subscription_plan WHERE bundle_id = $1 ORDER BY product_id LIMIT 100
                """, request.bundleIdentifier, db),
            offerIdentifiers: offers.prefix(50).map(\.identifier))
    }

    private static func column(
        _ sql: String, _ bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [String] {
        try db.rows(sql, [bundleIdentifier]).map { try $0.get("name") }
    }

    private static func invalid(_ reason: String) -> PurchaseFailure {
        PurchaseFailure(.invalidSignature, "The signature of the offer \(reason).")
    }
}
