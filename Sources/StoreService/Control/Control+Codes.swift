// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain

extension Control {
    /// Makes a batch of codes. The caller chooses its identifier and draws its
    /// seed, so that a repeated call makes the same codes.
    package struct CreateCodesCall: Codable, Sendable {
        /// 1 to 64 letters, digits and hyphens.
        package var batch: String
        package var bundle: String
        /// Empty for promo codes of the app itself.
        package var product: String
        /// `one-time`, `custom` or `promo`.
        package var kind: String
        /// The name of the product's code offer; absent for promo codes.
        package var offer: String?
        /// The seller's own name for the batch.
        package var name: String
        /// The number of drawn codes; 1 when absent.
        package var size: Int?
        /// The most redemptions of a custom code; 1 when absent.
        package var limit: Int?
        /// The end of the codes in milliseconds since 1970.
        package var expires: Int64?
        /// 32 random bytes in base64, for codes that are drawn.
        package var seed: Data?
        /// The text of a custom code.
        package var code: String?

        package init(
            batch: String, bundle: String, product: String, kind: String, offer: String?, name: String,
            size: Int? = nil, limit: Int? = nil, expires: Int64? = nil, seed: Data? = nil, code: String? = nil
        ) {
            self.batch = batch
            self.bundle = bundle
            self.product = product
            self.kind = kind
            self.offer = offer
            self.name = name
            self.size = size
            self.limit = limit
            self.expires = expires
            self.seed = seed
            self.code = code
        }
    }

    /// Lists the batches of an app.
    package struct CodesCall: Codable, Sendable {
        package var bundle: String

        package init(bundle: String) {
            self.bundle = bundle
        }
    }

    /// Names a batch.
    package struct CodeBatchCall: Codable, Sendable {
        package var batch: String

        package init(batch: String) {
            self.batch = batch
        }
    }

    /// A batch of codes. Times are in milliseconds since 1970.
    package struct CodeBatchAnswer: Codable, Sendable {
        package var batch: String
        package var bundle: String
        /// Empty for promo codes of the app itself.
        package var product: String
        package var kind: String
        /// Absent for promo codes.
        package var offer: String?
        package var name: String
        package var size: Int
        /// How often each code can be redeemed.
        package var limit: Int
        /// Whether all codes are made; the creation of others has to be
        /// repeated.
        package var isComplete: Bool
        /// The redemptions of all codes together.
        package var redeemed: Int
        package var created: Int64
        /// Absent for codes without an end.
        package var expires: Int64?
        /// Absent while they aren't revoked.
        package var revoked: Int64?

        init(_ batch: OfferCodeBatch) {
            self.batch = batch.identifier
            bundle = batch.bundleIdentifier.rawValue
            product = batch.productIdentifier.rawValue
            kind = batch.kind.rawValue
            offer = batch.offer.isEmpty ? nil : batch.offer
            name = batch.name
            size = batch.size
            limit = batch.usesLimit
            isComplete = batch.isComplete
            redeemed = batch.redemptions
            created = batch.created.milliseconds
            expires = batch.expires?.milliseconds
            revoked = batch.revoked?.milliseconds
        }
    }

    /// The codes of a new batch, in the order of their numbers.
    package struct CreateCodesAnswer: Codable, Sendable {
        package var batch: CodeBatchAnswer
        package var codes: [String]
    }

    /// The batches of an app, oldest first.
    package struct CodesAnswer: Codable, Sendable {
        package var batches: [CodeBatchAnswer]
    }

    /// The redeemed codes of a batch.
    package struct RedeemedCodesAnswer: Codable, Sendable {
        /// A code, by its number in the batch, from 0.
        package struct Code: Codable, Sendable {
            package var number: Int
            package var redeemed: Int
        }

        package var batch: CodeBatchAnswer
        /// In the order of their numbers.
        package var codes: [Code]
    }
}

extension Control.CreateCodesAnswer {
    /// Makes a batch of codes.
    ///
    /// - Throws: The errors of `ManagingCodes.create`.
    package init(creating call: Control.CreateCodesCall, in context: StoreContext) async throws {
        guard let kind = OfferCodeBatch.Kind(rawValue: call.kind) else {
            let kinds = OfferCodeBatch.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw DomainError(.invalid, "\"\(call.kind)\" is no kind of codes: use one of \(kinds).")
        }
        let made = try await ManagingCodes(context).create(
            ManagingCodes.Order(
                batch: call.batch, bundleIdentifier: BundleIdentifier(call.bundle),
                productIdentifier: ProductIdentifier(call.product), kind: kind, offer: call.offer, name: call.name,
                size: call.size ?? 1, usesLimit: call.limit ?? 1,
                expires: call.expires.map(WallTime.init(milliseconds:)), seed: call.seed, code: call.code))
        self.init(batch: Control.CodeBatchAnswer(made.batch), codes: made.codes)
    }
}

extension Control.CodesAnswer {
    /// Lists the batches of an app.
    ///
    /// - Throws: The errors of `ManagingCodes`.
    package init(listing call: Control.CodesCall, of context: StoreContext) async throws {
        self.init(
            batches: try await ManagingCodes(context)(of: BundleIdentifier(call.bundle)).map(
                Control.CodeBatchAnswer.init))
    }
}

extension Control.CodeBatchAnswer {
    /// Revokes a batch.
    ///
    /// - Throws: The errors of `ManagingCodes.revoke`.
    package init(revoking call: Control.CodeBatchCall, in context: StoreContext) async throws {
        self.init(try await ManagingCodes(context).revoke(call.batch))
    }
}

extension Control.RedeemedCodesAnswer {
    /// Lists the redeemed codes of a batch.
    ///
    /// - Throws: The errors of `ManagingCodes.redeemed`.
    package init(listing call: Control.CodeBatchCall, of context: StoreContext) async throws {
        let (batch, numbers) = try await ManagingCodes(context).redeemed(call.batch)
        self.init(
            batch: Control.CodeBatchAnswer(batch),
            codes: numbers.sorted { $0.key < $1.key }.map { Code(number: $0.key, redeemed: $0.value) })
    }
}

extension StoreService {
    func controlCodes(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .createCodes:
            let call = try decode(Control.CreateCodesCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.CreateCodesAnswer(creating: call, in: context))
        case .redeemedCodes:
            let call = try decode(Control.CodeBatchCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.RedeemedCodesAnswer(listing: call, of: context))
        case .revokeCodes:
            let call = try decode(Control.CodeBatchCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.CodeBatchAnswer(revoking: call, in: context))
        default:
            let call = try decode(Control.CodesCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.CodesAnswer(listing: call, of: context))
        }
    }
}
