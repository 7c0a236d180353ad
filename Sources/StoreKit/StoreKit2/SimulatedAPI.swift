// SPDX-License-Identifier: Apache-2.0

package import StoreAgent

/// A function of StoreKit 2 whose failure a test session simulates.
package enum SimulatedAPI: Sendable, Hashable {
    case loadProducts
    case purchase
    case verification
    case appStoreSync
    case subscriptionStatus
    case appTransaction
    case manageSubscriptions
    case refundRequest
    case offerCodeRedeem
}

/// The failure that a test session simulates.
package enum SimulatedFailure: Sendable {
    /// The function throws the error.
    case error(any Error)
    /// Signed values aren't trusted, for this reason.
    case verification(SignedFailure)
}

extension AgentHost {
    /// Performs an operation with the agent, like ``perform(_:)``, unless a test
    /// session simulates the failure of its function. `nil` is a function whose
    /// failure isn't simulated.
    ///
    /// - Throws: the simulated error, the operation's error, or that of the
    ///   agent's start, each as StoreKit 2 describes it; `CancellationError`.
    func perform<Answer: Sendable>(
        _ function: SimulatedAPI?, _ operation: @escaping @Sendable (Agent) async throws -> Answer
    ) async throws -> Answer {
        do {
            if let function, case .error(let error) = standIn?.failure(function) { throw error }
            return try await perform(operation)
        } catch {
            throw try StoreKitError.describing(error)
        }
    }

    /// The reason for which a test session lets signed values of an agent not be
    /// trusted; `nil` without one.
    func simulatedDistrust(of agent: Agent) -> SignedFailure? {
        guard let standIn, standIn.agent === agent, case .verification(let failure) = standIn.failure(.verification)
        else { return nil }
        return failure
    }
}
