// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A promotional offer, or the seller's decision about an introductory offer,
/// that a seller's server has signed as a JWS, as StoreKit 2 takes it
/// ("Generating JWS to sign App Store requests").
struct OfferToken: Sendable {
    /// The claims of the payload. Claims of other names have no meaning here.
    struct Claims: Decodable, Hashable, Sendable {
        var bid: String
        var aud: String
        /// When it was signed, in seconds since 1970.
        var iat: Double
        var nonce: String
        var productId: String
        /// The promotional offer; `nil` for an introductory one.
        var offerIdentifier: String?
        /// Whether the customer gets the introductory offer; `nil` for a
        /// promotional one.
        var allowIntroductoryOffer: Bool?
        /// A transaction of the customer; `nil` for any customer.
        var transactionId: String?
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    /// The reason for which a text isn't such a JWS.
    typealias Mistake = VerifyingDiscount.Mistake

    /// The audience of a kind of offers.
    static func audience(of kind: Product.Offer.Kind) -> String {
        kind == .introductory ? "introductory-offer-eligibility" : "promotional-offer"
    }

    var claims: Claims
    /// The identifier of the key that has signed it.
    var keyIdentifier: String
    private var signed: Data
    private var signature: P256.Signing.ECDSASignature

    /// Reads a JWS in compact serialisation (RFC 7515, section 7.1), and
    /// verifies nothing.
    init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Data(base64URL: parts[0]), let payload = Data(base64URL: parts[1]),
            let bytes = Data(base64URL: parts[2])
        else { throw Mistake(reason: "isn't a JWS: three parts in base64url with points between them") }
        guard let header = try? JSONDecoder().decode(Header.self, from: header) else {
            throw Mistake(reason: "has a header without alg and kid")
        }
        guard header.alg == "ES256" else {
            throw Mistake(reason: "was made with the algorithm \(header.alg): use ES256")
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes) else {
            throw Mistake(reason: "has \(bytes.count) bytes, and one of ES256 has 64")
        }
        do {
            claims = try JSONDecoder().decode(Claims.self, from: payload)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Mistake(reason: "has no claim \"\(key.stringValue)\"")
        } catch {
            throw Mistake(reason: "has a payload whose claims aren't those of an offer")
        }
        keyIdentifier = header.kid
        signed = Data(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        self.signature = signature
    }

    func isSigned(by key: P256.Signing.PublicKey) -> Bool { key.isValidSignature(signature, for: signed) }

    /// Why the claims aren't those of a payment; `nil` when they are.
    func refusal(
        of discount: PaymentDiscount, _ product: ProductIdentifier, in bundleIdentifier: BundleIdentifier
    ) -> String? {
        let audience = Self.audience(of: discount.kind)
        if claims.aud != audience { return "is for the audience \"\(claims.aud)\": use \"\(audience)\"" }
        if claims.bid != bundleIdentifier.rawValue { return "was made for the app \(claims.bid)" }
        if claims.productId != product.rawValue { return "was made for the product \"\(claims.productId)\"" }
        guard discount.kind == .promotional else {
            return claims.allowIntroductoryOffer == nil ? "has no claim \"allowIntroductoryOffer\"" : nil
        }
        guard let offer = claims.offerIdentifier else { return "has no claim \"offerIdentifier\"" }
        return offer == discount.identifier ? nil : "was made for the offer \"\(offer)\""
    }

    /// The same values in the older form, whose age and nonce have the same
    /// rules. A time that no clock shows is too old.
    var values: OfferSignature {
        OfferSignature(
            bundleIdentifier: claims.bid, keyIdentifier: keyIdentifier, productIdentifier: claims.productId,
            offerIdentifier: claims.offerIdentifier ?? "", username: "", nonce: claims.nonce,
            timestamp: Int64(exactly: (claims.iat * 1000).rounded()) ?? .min)
    }
}

extension Data {
    /// Decodes base64url without padding (RFC 7515, section 2); `nil` for any
    /// other text.
    init?(base64URL text: Substring) {
        guard !text.utf8.contains(where: { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) })
        else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
