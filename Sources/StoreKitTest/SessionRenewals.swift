// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Whether the payment provider declines the renewals of a session.
///
/// The provider knows amounts, and not their purpose. So the renewals run with
/// a value of the task, which the app's purchases don't have.
enum SessionRenewals {
    @TaskLocal private static var areDeclined = false

    /// Runs renewals, which the provider declines if `areDeclined`.
    static func run<Answer>(
        declining areDeclined: Bool, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        try await $areDeclined.withValue(areDeclined) { try await body() }
    }

    /// The provider's sentence about a payment; `nil` when it authorises.
    static var refusal: String? { areDeclined ? "The session declines every renewal." : nil }
}
