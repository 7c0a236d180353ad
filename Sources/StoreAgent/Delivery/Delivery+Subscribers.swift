// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

extension Delivery {
    /// Starts to deliver updates to a subscriber; a later handler replaces
    /// the one before.
    ///
    /// The first handler, and the first after ``stopObserving(as:)``,
    /// receives all unfinished transactions that this process may deliver. A
    /// handler that replaces another one receives later changes only.
    ///
    /// When this returns, the journal records that this process observes, so
    /// that other processes don't take the entries that it adds. When the
    /// journal can't be written, the write is repeated after a second.
    func observe(as subscriber: Agent.Subscriber, _ handler: @escaping UpdateRecipient.Handler) {
        wanted.withLock { $0[subscriber] = handler }
        announce(subscriber)
    }

    /// Stops the delivery of updates to a subscriber. After the last one has
    /// left, the entries that this process holds are released to other
    /// processes, except those that its purchases have returned.
    func stopObserving(as subscriber: Agent.Subscriber) {
        wanted.withLock { handlers in
            handlers[subscriber] = nil
            queue.async { [self] in
                recipients.first { $0.subscriber == subscriber }?.end()
                release()
            }
        }
    }

    private func announce(_ subscriber: Agent.Subscriber) {
        do {
            try wanted.withLock { handlers in
                guard let handler = handlers[subscriber] else { return }
                try journal.observe(presence.identifier)
                queue.async { [self] in
                    guard !isClosed else { return }
                    recipient(of: subscriber).begin(handler)
                    round()
                }
            }
        } catch {
            retry(after: error) { [self] in announce(subscriber) }
        }
    }

    private func recipient(of subscriber: Agent.Subscriber) -> UpdateRecipient {
        if let known = recipients.first(where: { $0.subscriber == subscriber }) { return known }
        let new = UpdateRecipient(subscriber)
        recipients.append(new)
        return new
    }

    private func release() {
        do {
            let isReleased = try wanted.withLock { handlers in
                guard handlers.isEmpty, !isClosed else { return false }
                let all = returned.all
                returned.remove(all.subtracting(try journal.stopObserving(presence.identifier, keeping: all)))
                return true
            }
            if isReleased { presence.wakeOthers() }
        } catch {
            retry(after: error) { [self] in release() }
        }
    }
}
