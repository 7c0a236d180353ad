// SPDX-License-Identifier: Apache-2.0

import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// A sequence of the customer's transactions.
    public struct Transactions: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = VerificationResult<Transaction>

        enum Source: Sendable {
            case all(product: String?)
            case unfinished
            case entitlements(product: String?)
            case updates
        }

        let source: Source

        /// Reads the transactions.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private enum Reader {
                case listing(TransactionListing)
                case entitlements(EntitlementListing)
                case feed(TransactionFeed)
            }

            private let reader: Reader

            init(_ source: Source) {
                reader =
                    switch source {
                    case .all(let product): .listing(TransactionListing(.all, of: product))
                    case .unfinished: .listing(TransactionListing(.unfinished))
                    case .entitlements(let product): .entitlements(EntitlementListing(of: product))
                    case .updates: .feed(TransactionFeed())
                    }
            }

            /// The next transaction; `nil` after the last one, when the task is
            /// cancelled, and when StoreKit can't start.
            public mutating func next() async -> VerificationResult<Transaction>? {
                do {
                    switch reader {
                    case .listing(let listing): return try await AgentHost.shared.perform { try await listing.next($0) }
                    case .entitlements(let listing):
                        return try await AgentHost.shared.perform { try await listing.next($0) }
                    case .feed(let feed): return try await AgentHost.shared.follow { try await feed.next($0) }
                    }
                } catch is CancellationError {
                    return nil
                } catch {
                    AgentHost.say("The transactions can't be read: \(error)")
                    return nil
                }
            }
        }

        /// Begins to read.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source) }
    }
}
