// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A trait of tests that use the process' one StoreKit: they run one at a
/// time, also across suites.
package struct OneAppAtATime: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    private static let turn = Places(1)

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.turn.begin()
        defer { Self.turn.end() }
        try await function()
    }
}

extension Trait where Self == OneAppAtATime {
    /// Runs at most one test with this trait at a time, in all suites.
    package static var oneAppAtATime: Self { Self() }
}
