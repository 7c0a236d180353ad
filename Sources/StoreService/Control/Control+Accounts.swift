// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

extension Control.NewAccountAnswer {
    /// Adds an account to a store, which may be running or not.
    ///
    /// - Throws: The errors of `AddingAccount`, except `exists`.
    package init(adding call: Control.NewAccountCall, to context: StoreContext) async throws {
        do {
            let account = try await AddingAccount(context)(
                email: call.email, password: call.password, storefront: call.storefront)
            self.init(email: account.email, storefront: account.storefront.countryCode, isNew: true)
        } catch let error as DomainError where error.code == .exists {
            self.init(email: Account.normalized(call.email), storefront: nil, isNew: false)
        }
    }
}

extension Control.CloseAccountAnswer {
    /// Closes an account of a store, which may be running or not.
    ///
    /// - Throws: The errors of `ClosingAccount`.
    package init(closing call: Control.CloseAccountCall, in context: StoreContext) async throws {
        try await ClosingAccount(context)(email: call.email)
        self.init(email: Account.normalized(call.email))
    }
}
