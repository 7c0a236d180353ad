// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The payment methods of customers.
extension StoreService {
    package func paymentMethods(of account: Account) async throws -> ChangingPaymentMethods.Listing {
        try await ChangingPaymentMethods(context).list(of: account.identifier)
    }

    /// Adds one of the sandbox's test methods.
    ///
    /// - Throws: The errors of `ChangingPaymentMethods`.
    package func add(_ method: SandboxMethod, to account: Account) async throws {
        try requireCurrentSchema()
        _ = try await ChangingPaymentMethods(context).add(method, to: account.identifier)
    }

    /// Charges the account's later payments by a method.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func prefer(_ method: PaymentMethodIdentifier, of account: Account) async throws {
        try requireCurrentSchema()
        _ = try await ChangingPaymentMethods(context).prefer(method, of: account.identifier)
    }

    /// Removes a method.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func remove(_ method: PaymentMethodIdentifier, of account: Account) async throws {
        try requireCurrentSchema()
        _ = try await ChangingPaymentMethods(context).remove(method, of: account.identifier)
    }
}
