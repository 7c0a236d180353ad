// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// A provider of a test that passes its calls on to the sandbox's. A type that
/// conforms defines only the calls that it changes.
protocol PassingProvider: PaymentProvider {
    /// The provider that gets the calls.
    var books: SandboxPaymentProvider { get }
}

extension PassingProvider {
    func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
        try await books.authorise(number, amount: amount, method: method)
    }
    func lookUp(_ number: PaymentIdentifier) async throws -> Authorisation? { try await books.lookUp(number) }
    func capture(_ number: PaymentIdentifier) async throws { try await books.capture(number) }
    func refund(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await books.refund(refund, of: number, amount: amount)
    }
    func reverse(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await books.reverse(refund, of: number, amount: amount)
    }
    func void(_ number: PaymentIdentifier) async throws { try await books.void(number) }
    func events() async throws -> [ProviderEvent] { try await books.events() }
    func acknowledge(_ events: [ProviderEvent]) async throws { try await books.acknowledge(events) }
}

/// A provider whose first answer to an authorisation is lost.
struct BreakingProvider: PassingProvider {
    let books: SandboxPaymentProvider
    private let line = Switch()

    init(books: SandboxPaymentProvider) {
        self.books = books
    }

    func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
        let answer = try await books.authorise(number, amount: amount, method: method)
        try line.fail()
        return answer
    }
}
