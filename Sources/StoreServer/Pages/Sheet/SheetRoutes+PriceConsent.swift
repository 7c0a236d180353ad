// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

extension SheetRoutes {
    /// Agrees to the price that was on the page. A child's agreement waits for a
    /// parent.
    func agree(
        _ token: String, _ form: CustomerForm, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        let shown = try form.agreed()
        let account = try await authentication.account(form, sheet: token, &customer, request)
        let asked = try await service.agree(
            onSheet: token, to: form.subscription.map { OriginalTransactionIdentifier($0) }, as: account, shown: shown)
        return pages.outcome(
            asked == nil ? .agreed : .asked, cookie: customer.cookie, in: customer.language, request: request)
    }
}
