// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Synchronization

/// A provider that counts the calls for each payment, and lets a test wait in
/// an authorisation.
final class CountingProvider: PassingProvider {
    private struct State {
        var calls: [PaymentIdentifier: Int] = [:]
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []
        var failure: (any Error)?
    }

    let books: SandboxPaymentProvider
    private let state = Mutex(State())

    init(_ books: SandboxPaymentProvider) {
        self.books = books
    }

    /// The numbers of authorisations and captures, the largest first.
    var calls: [Int] { state.withLock { $0.calls.values.sorted(by: >) } }

    /// Returns when a call waits.
    ///
    /// - Throws: The error of the code that was to make the call.
    func untilHeld() async throws {
        try await until {
            try state.withLock { state in
                if let failure = state.failure { throw failure }
                return !state.waiting.isEmpty
            }
        }
    }

    /// Runs code that calls this provider, in another task than
    /// ``untilHeld()``, which would wait without end if the code failed.
    func passingFailures(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

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

    func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
        count(number)
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return try await books.authorise(number, amount: amount, method: method)
    }

    func capture(_ number: PaymentIdentifier) async throws {
        count(number)
        try await books.capture(number)
    }

    private func count(_ number: PaymentIdentifier) {
        state.withLock { $0.calls[number, default: 0] += 1 }
    }
}
