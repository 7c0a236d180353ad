// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreDomain

extension Control.NewAccountAnswer {
    /// Adds an account to a store, which may be running or not.
    ///
    /// - Throws: The errors of `AddingAccount`, except `exists`.
    package init(adding call: Control.NewAccountCall, to context: StoreContext) async throws {
        do {
            let account = try await AddingAccount(context)(
                email: call.email, password: call.password, storefront: call.storefront, name: call.name,
                locale: call.locale)
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

extension Control.AccountsAnswer {
    /// Lists accounts of a store, which may be running or not.
    ///
    /// - Throws: The errors of `ListingAccounts`.
    package init(listing call: Control.AccountsCall, of context: StoreContext) async throws {
        accounts = try await ListingAccounts(context)(after: call.after ?? "").map(Control.AccountAnswer.init)
    }
}

extension Control.AccountAnswer {
    /// Finds an account of a store, which may be running or not.
    ///
    /// - Throws: The errors of `FindingAccount`.
    package init(finding call: Control.ShowAccountCall, in context: StoreContext) async throws {
        self.init(try await FindingAccount(context)(email: call.email))
    }

    /// Changes an account of a store, which may be running or not.
    ///
    /// - Throws: The errors of `ChangingAccount`.
    package init(changing call: Control.AccountCall, in context: StoreContext) async throws {
        self.init(try await ChangingAccount(context)(email: call.email, call.change))
    }
}

extension StoreService {
    /// Carries out a call about accounts.
    ///
    /// - Throws: The errors of the use cases; `StoreFailure` `malformed` for a
    ///   call of another form.
    func controlAccounts(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .accounts:
            let call = try decode(Control.AccountsCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.AccountsAnswer(listing: call, of: context))
        case .showAccount:
            let call = try decode(Control.ShowAccountCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.AccountAnswer(finding: call, in: context))
        case .addAccount:
            let call = try decode(Control.NewAccountCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.NewAccountAnswer(adding: call, to: context))
        case .closeAccount:
            let call = try decode(Control.CloseAccountCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.CloseAccountAnswer(closing: call, in: context))
        default:
            let call = try decode(Control.AccountCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.AccountAnswer(changing: call, in: context))
        }
    }
}
