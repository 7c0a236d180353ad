// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The closures to call when app requests of this process have ended. Used on
/// the delivery's queue only.
struct AppRequestWaiters {
    typealias Waiter = @Sendable (Result<Void, PurchaseFailure>) -> Void

    private var waiters: [String: Waiter] = [:]

    mutating func add(_ waiter: @escaping Waiter, for appRequest: String) {
        waiters[appRequest] = waiter
    }

    /// Removes a closure.
    ///
    /// - Returns: whether it hasn't been called.
    mutating func remove(_ appRequest: String) -> Bool {
        waiters.removeValue(forKey: appRequest) != nil
    }

    /// Calls the closures of the receipt refreshes that have ended, and
    /// deletes these from the journal. The end of a restore is an update for
    /// the subscribers instead.
    mutating func answer(_ appRequests: [AppRequest], in journal: Journal) throws {
        for appRequest in appRequests where appRequest.kind == .refresh && !appRequest.isOpen {
            guard let waiter = waiters.removeValue(forKey: appRequest.identifier) else { continue }
            waiter(appRequest.failure.map { .failure($0) } ?? .success(()))
            try journal.removeAppRequest(appRequest.identifier)
        }
    }
}

extension Delivery {
    /// Calls a closure when an app request has ended.
    func wait(for appRequest: String, _ waiter: @escaping AppRequestWaiters.Waiter) {
        queue.async { [self] in
            waiters.add(waiter, for: appRequest)
            round()
        }
    }

    /// Removes the closure and, if it wasn't called, the app request.
    func forget(_ appRequest: String) {
        queue.async { [self] in
            guard waiters.remove(appRequest) else { return }
            try? journal.removeAppRequest(appRequest)
        }
    }
}
