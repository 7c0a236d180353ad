// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The sandbox's pages in the place of a bank's.
struct SandboxBankPages {
    let common: CommonPages
    private let bank: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        bank = try common.templates.page(PackageResources.bank_mustache)
    }

    /// The page on which a customer confirms a pending payment.
    func bank(_ payment: SandboxPayment, environment: StoreEnvironment) -> Response {
        let price = "\(payment.amount.decimal) \(payment.amount.currency)"
        return .page(bank.render(BankModel(title: "Sandbox bank", environment: environment.rawValue, price: price)))
    }

    /// The page after the answer.
    func result(isConfirmed: Bool, request: Hummingbird.Request) -> Response {
        if request.wantsJSON { return Response.json(["outcome": isConfirmed ? "confirmed" : "declined"]) }
        return common.result(
            ResultModel(
                title: isConfirmed ? "Confirmed" : "Declined",
                message: "You can close this page and go back to the store's page.", isGood: isConfirmed))
    }
}

/// The values of the bank's page.
struct BankModel {
    var title: String
    var environment: String
    var price: String
}
