// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDomain

extension StoreService {
    func register(_ call: RegisterCall, _ message: StoreMessage) async throws -> RegisterCall.Answer {
        try await RegisteringDevice(context)(
            message.device, secret: message.credentials.secret)
        return RegisterCall.Answer(environment: environment.rawValue)
    }

    func signOut(_ call: SignOutCall, _ message: StoreMessage) async throws -> SignOutCall.Answer {
        try await RegisteringDevice(context).signOut(
            message.device, request: RequestIdentifier(call.requestIdentifier))
        return SignOutCall.Answer()
    }

    func products(_ call: ProductsCall, _ message: StoreMessage) async throws -> ProductsCall.Answer {
        let listing = try await ListingProducts(context)(
            call.productIdentifiers.map { ProductIdentifier($0) }, of: BundleIdentifier(call.bundleIdentifier),
            for: message.device)
        if !listing.withoutContract.isEmpty {
            logger.notice(
                "products aren't sold: their seller has no contract in force",
                metadata: [
                    "bundle": "\(call.bundleIdentifier)",
                    "products": "\(listing.withoutContract.prefix(10).map(\.rawValue).joined(separator: ", "))",
                ])
        }
        if !listing.refused.isEmpty {
            await report(.init(refusing: listing.refused), of: BundleIdentifier(call.bundleIdentifier))
        }
        let storefront = listing.storefront
        let languages = LanguagePreference(call.languages, in: storefront)
        return ProductsCall.Answer(
            products: listing.products.map { product in
                var info = ProductInfo(product, in: storefront, for: languages)
                info.content = listing.content[product.productIdentifier].map {
                    ContentOffer($0, of: product.productIdentifier)
                }
                info.subscriptionGroupName = product.plan.flatMap { listing.groups[$0.group]?.title(for: languages) }
                return info
            },
            invalidProductIdentifiers: listing.invalid.map(\.rawValue),
            storefront: StorefrontInfo(storefront))
    }

    func receipt(_ call: ReceiptCall, _ message: StoreMessage) async throws -> ReceiptCall.Answer {
        if let issued = try await issued(call, message) { return issued }
        guard call.mayAskToSignIn else { return ReceiptCall.Answer() }
        let asking = RequiringSignIn(context)
        switch try await asking(
            RequestIdentifier(call.requestIdentifier), of: BundleIdentifier(call.bundleIdentifier), on: message.device)
        {
        case .signIn(let token): return ReceiptCall.Answer(sheet: sheetAddress(token))
        case .failed(let failure): return ReceiptCall.Answer(failure: failure)
        case .signedIn: return try await issued(call, message) ?? ReceiptCall.Answer()
        }
    }

    /// The receipt of the account that is signed in; `nil` without one.
    private func issued(_ call: ReceiptCall, _ message: StoreMessage) async throws -> ReceiptCall.Answer? {
        let issue = IssuingReceipt(context, authority: authority)
        let issued = try await issue(
            for: message.device, bundleIdentifier: BundleIdentifier(call.bundleIdentifier),
            applicationVersion: call.applicationVersion, properties: IssuingReceipt.Properties(call.properties))
        guard let issued else { return nil }
        report(issued)
        // An app that ends before its event stream opens has used the account too.
        await recordUse(
            of: BundleIdentifier(call.bundleIdentifier), on: message.device, by: issued.account.identifier)
        return ReceiptCall.Answer(
            receipt: issued.receipt.base64EncodedString(), position: EventPosition(issued.account))
    }

    /// The largest receipt, in base64, that `/verifyReceipt` accepts.
    package static let verifiableReceipt = verifyReceiptLimit - 1024

    /// Writes into the log that a receipt is too large for its purchases, or
    /// for `/verifyReceipt`.
    private func report(_ issued: IssuingReceipt.Issued) {
        let metadata: Logger.Metadata = [
            "account": "\(issued.account.identifier)", "bytes": "\(issued.receipt.count)",
            "omitted": "\(issued.omitted)",
        ]
        if issued.omitted > 0 {
            logger.error("a receipt has no room for all purchases", metadata: metadata)
        } else if (issued.receipt.count + 2) / 3 * 4 > Self.verifiableReceipt {
            logger.warning("a receipt is too large for /verifyReceipt", metadata: metadata)
        }
    }

    func transactionReceipts(
        _ call: TransactionReceiptsCall, _ message: StoreMessage
    ) async throws -> TransactionReceiptsCall.Answer {
        guard call.transactions.count <= TransactionReceiptsCall.limit else {
            throw StoreFailure(
                .invalid,
                "A message may name \(TransactionReceiptsCall.limit) transactions, not \(call.transactions.count).")
        }
        let issued = try await IssuingTransactionReceipts(context, authority: authority)(
            call.transactions.map { TransactionIdentifier($0) }, to: message.device,
            bundleIdentifier: BundleIdentifier(call.bundleIdentifier),
            applicationVersion: call.applicationVersion)
        return issued.map {
            TransactionReceiptsCall.Answer(
                account: $0.account.identifier.rawValue, receipts: $0.receipts.mapValues { $0.base64EncodedString() })
        } ?? TransactionReceiptsCall.Answer()
    }

    func sheetAddress(_ token: String) -> String {
        "\(publicURL)/sheet/\(token)"
    }
}

extension ProductInfo {
    /// A product as a customer of a storefront sees it.
    init(_ product: Product, in storefront: Storefront, for languages: LanguagePreference) {
        let localization = product.localization(for: languages)
        let price = product.price(in: storefront)
        let offers = product.offers.filter(\.kind.isSeenByApps)
        self.init(
            productIdentifier: product.productIdentifier.rawValue, type: ProductType(rawValue: product.kind.rawValue),
            title: localization.title, description: localization.description, milliunits: price.milliunits,
            currency: price.currency, priceLocale: storefront.priceLocale,
            isFamilyShareable: product.isFamilyShareable, subscriptionPeriod: product.plan?.period.iso8601,
            subscriptionGroupIdentifier: product.plan?.group.rawValue, subscriptionGroupLevel: product.plan?.level,
            offers: offers.isEmpty ? nil : offers.map { OfferInfo($0, of: product, in: storefront) })
    }
}

extension OfferInfo {
    /// An offer as a customer of a storefront sees it.
    init(_ offer: Product.Offer, of product: Product, in storefront: Storefront) {
        self.init(
            kind: Kind(rawValue: offer.kind.rawValue), identifier: offer.identifier.isEmpty ? nil : offer.identifier,
            paymentMode: PaymentMode(rawValue: offer.mode.rawValue), period: offer.period.iso8601,
            periods: offer.periods,
            milliunits: offer.mode == .free ? 0 : product.price(of: offer, in: storefront).milliunits)
    }
}

extension StorefrontInfo {
    init(_ storefront: Storefront) {
        self.init(
            countryCode: storefront.countryCode, identifier: storefront.identifier, currency: storefront.currency)
    }
}

extension AccountEvent.Position {
    init(_ position: EventPosition) {
        self.init(account: AccountIdentifier(position.account), number: position.number)
    }
}

extension EventPosition {
    init(_ account: Account) {
        self.init(account: account.identifier.rawValue, number: account.eventNumber)
    }

    init(_ position: AccountEvent.Position) {
        self.init(account: position.account.rawValue, number: position.number)
    }
}

extension IssuingReceipt.Properties {
    init(_ properties: ReceiptProperties?) {
        self.init(
            isExpired: properties?.isExpired ?? false, isRevoked: properties?.isRevoked ?? false,
            isVolumePurchase: properties?.isVolumePurchase ?? false)
    }
}
