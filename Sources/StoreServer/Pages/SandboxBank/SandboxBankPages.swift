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
    func bank(_ payment: SandboxPayment, environment: StoreEnvironment, in language: PageLanguage) -> Response {
        let words = BankWords.words(language)
        return .page(
            bank.render(
                BankModel(
                    page: PageFrame(language), words: words, title: words.title, environment: environment.rawValue,
                    price: language.price(payment.amount))))
    }

    /// The page after the answer.
    func result(isConfirmed: Bool, request: Hummingbird.Request) -> Response {
        if request.wantsJSON { return Response.json(["outcome": isConfirmed ? "confirmed" : "declined"]) }
        let language = PageLanguage(request)
        let words = BankWords.words(language)
        return common.result(
            ResultModel(
                language, title: isConfirmed ? words.confirmed : words.declined, message: words.goBack,
                isGood: isConfirmed))
    }
}

/// The values of the bank's page.
struct BankModel: PageModel {
    let page: PageFrame
    let words: BankWords
    var title: String
    var environment: String
    var price: String
}
