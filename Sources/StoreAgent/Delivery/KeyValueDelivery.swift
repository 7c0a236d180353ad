// SPDX-License-Identifier: Apache-2.0

/// Delivers the keys whose values the store has changed. Used on the delivery's
/// queue only.
struct KeyValueDelivery {
    typealias Handler = @Sendable (KeyValueNews) -> Void

    private var handler: Handler?
    /// The number of the last change that was delivered.
    private var seen: Int64

    /// Begins after a change: earlier ones aren't delivered.
    init(after change: Int64) {
        seen = change
    }

    /// Sets the handler.
    ///
    /// - Returns: whether there was none before.
    mutating func set(_ handler: @escaping Handler) -> Bool {
        defer { self.handler = handler }
        return self.handler == nil
    }

    /// Delivers the changes since the last call. Without a handler they are
    /// kept for the first one.
    mutating func deliver(from journal: Journal) throws {
        guard let handler else { return }
        let (news, last) = try journal.keyValueNews(after: seen)
        seen = last
        news.forEach(handler)
    }
}

extension Delivery {
    /// Calls a handler when values from the store have changed this device's;
    /// a later handler replaces the one before.
    func observeKeyValues(_ handler: @escaping KeyValueDelivery.Handler) {
        queue.async { [self] in
            if keyValues.set(handler) { round() }
        }
    }
}
