// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension StoreService {
    /// Carries out one of the calls `paymentMethods`, `addPaymentMethod`,
    /// `preferPaymentMethod` and `removePaymentMethod`.
    func controlPaymentMethods(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let changing = ChangingPaymentMethods(context)
        let listing: ChangingPaymentMethods.Listing
        switch verb {
        case .addPaymentMethod:
            let call = try decode(Control.AddPaymentMethodCall.self, from: body, of: verb.rawValue)
            listing = try await changing.add(
                try SandboxMethod.named(call.card), to: try await identifier(of: call.email),
                isPreferred: call.isPreferred ?? false)
        case .preferPaymentMethod, .removePaymentMethod:
            let call = try decode(Control.PaymentMethodCall.self, from: body, of: verb.rawValue)
            let (method, account) = (PaymentMethodIdentifier(call.method), try await identifier(of: call.email))
            listing =
                verb == .preferPaymentMethod
                ? try await changing.prefer(method, of: account) : try await changing.remove(method, of: account)
        default:
            let call = try decode(Control.PaymentMethodsCall.self, from: body, of: verb.rawValue)
            listing = try await changing.list(of: try await identifier(of: call.email))
        }
        return try encode(Control.PaymentMethodsAnswer(listing))
    }

    private func identifier(of email: String) async throws -> AccountIdentifier {
        try await FindingAccount(context)(email: email).identifier
    }
}

extension Control.PaymentMethodsAnswer {
    init(_ listing: ChangingPaymentMethods.Listing) {
        self.init(
            methods: listing.methods.map { method in
                Control.PaymentMethodAnswer(
                    method: method.identifier.rawValue, kind: method.kind, label: method.label, digits: method.digits,
                    isPreferred: listing.preferred == .method(method.identifier), expires: method.expires?.milliseconds)
            })
    }
}
