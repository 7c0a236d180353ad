// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization

/// A provider that counts the calls for each payment, and lets a test wait in
/// an authorisation.
final class CountingProvider: PaymentProvider {
    private struct State {
        var calls: [PaymentIdentifier: Int] = [:]
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let books: SandboxPaymentProvider
    private let state = Mutex(State())

    init(_ books: SandboxPaymentProvider) {
        self.books = books
    }

    /// The numbers of authorisations and captures, the largest first.
    var calls: [Int] { state.withLock { $0.calls.values.sorted(by: >) } }

    /// Whether a call waits.
    var isHeld: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Makes authorisations wait until ``open()``.
    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    func authorise(_ number: PaymentIdentifier, amount: Money) async throws -> Authorisation {
        count(number)
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return try await books.authorise(number, amount: amount)
    }

    func capture(_ number: PaymentIdentifier) async throws {
        count(number)
        try await books.capture(number)
    }

    func lookUp(_ number: PaymentIdentifier) async throws -> Authorisation? { try await books.lookUp(number) }
    func refund(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await books.refund(refund, of: number, amount: amount)
    }
    func void(_ number: PaymentIdentifier) async throws { try await books.void(number) }

    private func count(_ number: PaymentIdentifier) {
        state.withLock { $0.calls[number, default: 0] += 1 }
    }
}
