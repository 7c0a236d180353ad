// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain

/// The pages of a customer's purchases.
struct PurchasePages {
    let common: CommonPages
    private let purchases: PageTemplate
    private let receipt: PageTemplate
    private let problem: PageTemplate
    private let signIn: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        purchases = try common.templates.page(PackageResources.purchases_mustache)
        receipt = try common.templates.page(PackageResources.receipt_mustache)
        problem = try common.templates.page(PackageResources.problem_mustache)
        signIn = try common.templates.page(PackageResources.sign_in_mustache)
    }

    func list(_ model: PurchasesModel) -> Response { .page(purchases.render(model)) }

    func receipt(_ model: PurchaseModel) -> Response { .page(receipt.render(model)) }

    func problem(_ model: PurchaseModel, failure: StoreFailure?) -> Response {
        .page(problem.render(model), status: failure?.status ?? .ok)
    }

    /// The page on which a customer signs in before one of these is shown.
    func signIn(_ model: SignInModel, failure: StoreFailure?) -> Response {
        var response = Response.page(signIn.render(model), status: failure?.status ?? .ok)
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        return response
    }
}

/// The values of the template for the sign-in.
struct SignInModel: PageModel {
    let page: PageFrame
    let title: String
    let environment: String
    let email: String
    let isSignedIn = false
    let message: PageMessage?

    init(
        _ language: PageLanguage, at place: AccountPlace, environment: StoreEnvironment, email: String?,
        failure: StoreFailure?
    ) {
        page = PageFrame(language, at: place)
        title = PlaceWords.words(language)[keyPath: place.name]
        self.environment = environment.rawValue
        self.email = email ?? ""
        message = failure.map { PageMessage($0, in: language) }
    }
}
