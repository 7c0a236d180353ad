// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import Synchronization

/// Passes the purchases that begin outside of the app to its listeners.
///
/// A listener that is slow keeps at most ``limit`` purchases: the customer
/// doesn't expect an older one any more.
final class IntentHub: Sendable {
    static let shared = IntentHub()

    /// The largest number of purchases that wait for a listener.
    static let limit = 20

    private let waiting = Mutex<[ObjectIdentifier: [PurchaseIntent]]>([:])
    private let signal = ChangeSignal()

    /// Whether the app listens.
    var hasListeners: Bool { waiting.withLock { !$0.isEmpty } }

    /// Passes a purchase to all listeners.
    func offer(_ intent: PurchaseIntent) {
        waiting.withLock { waiting in
            for listener in waiting.keys {
                waiting[listener, default: []].append(intent)
                if waiting[listener, default: []].count > Self.limit { waiting[listener]?.removeFirst() }
            }
        }
        signal.post()
    }

    /// Removes the purchases that wait for listeners: the app uses another
    /// agent.
    func forget() {
        waiting.withLock { waiting in
            for listener in waiting.keys { waiting[listener] = [] }
        }
    }

    /// One listener, from its first call on.
    final class Listener: Sendable {
        private let hub = IntentHub.shared

        deinit {
            hub.waiting.withLock { $0[ObjectIdentifier(self)] = nil }
        }

        /// The next purchase; `nil` when the task is cancelled.
        func next() async -> PurchaseIntent? {
            await begin()
            while !Task.isCancelled {
                let generation = hub.signal.generation
                let intent = hub.waiting.withLock { waiting -> PurchaseIntent? in
                    let key = ObjectIdentifier(self)
                    return waiting[key]?.isEmpty ?? true ? nil : waiting[key]?.removeFirst()
                }
                if let intent { return intent }
                await hub.signal.wait(after: generation)
            }
            return nil
        }

        private func begin() async {
            let key = ObjectIdentifier(self)
            guard hub.waiting.withLock({ $0[key] == nil }) else { return }
            _ = try? await AgentHost.shared.agentForListener()
            let isFirst = hub.waiting.withLock { waiting in
                guard waiting[key] == nil else { return false }
                waiting[key] = []
                return true
            }
            if isFirst { PaymentQueueCore.shared.offerToIntents() }
        }
    }
}
