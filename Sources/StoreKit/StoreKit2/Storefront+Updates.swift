// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Storefront {
    /// The customer's storefronts after each change, for as long as the app
    /// runs. Changes count from the beginning of the loop, or the making of the
    /// iterator.
    public static var updates: Storefront.Storefronts { Storefronts() }

    /// The storefronts after each change.
    public struct Storefronts: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Storefront

        /// Waits for the changes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// Reads the storefront after which changes are received; `nil` once
            /// it is read.
            private var beginning: Task<StorefrontInfo?, any Error>?
            private var known: StorefrontInfo?
            private var hasBegun = false

            init() {
                beginning = AgentHost.shared.begin { try await $0.currentStorefront() }
            }

            /// The storefront after the next change; `nil` when the task is
            /// cancelled or StoreKit can't start.
            public mutating func next() async -> Storefront? {
                if let beginning, case .success(let storefront) = await beginning.result {
                    (known, hasBegun) = (storefront, true)
                }
                beginning = nil
                while !Task.isCancelled {
                    guard let agent = try? await AgentHost.shared.agentForListener() else { return nil }
                    let generation = agent.changes.generation
                    let current = try? await agent.currentStorefront()
                    let isSame = current.flatMap { current in known?.isSame(as: current) } ?? false
                    let isChange = hasBegun && !isSame
                    hasBegun = true
                    if let current {
                        known = current
                        if isChange { return Storefront(current) }
                    }
                    await agent.changes.wait(after: generation)
                }
                return nil
            }
        }

        /// Begins to wait for changes.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}
