// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Delivers the changes of downloads from sellers' servers. Used on the
/// delivery's queue only.
struct BackgroundFileDelivery {
    typealias Handler = @Sendable ([BackgroundFile]) -> Void

    private var observers: [Int: (seen: Int64, handler: Handler)] = [:]

    mutating func add(_ number: Int, _ handler: @escaping Handler) {
        observers[number] = (0, handler)
    }

    mutating func remove(_ number: Int) {
        observers[number] = nil
    }

    /// Delivers the changes since the last call, to a new observer all
    /// downloads.
    mutating func deliver(from journal: Journal, in cache: CacheFolder, _ storage: any FileSystem) throws {
        for (number, observer) in observers.sorted(by: { $0.key < $1.key }) {
            let (files, last) = try journal.backgroundFiles(after: observer.seen)
            observers[number]?.seen = last
            if !files.isEmpty { observer.handler(files.map { $0.placed(in: cache, storage) }) }
        }
    }
}

extension Delivery {
    /// - Returns: the number of the observer.
    func observeBackgroundFiles(_ handler: @escaping BackgroundFileDelivery.Handler) -> Int {
        let number = backgroundObservers.withLock { count in
            count += 1
            return count
        }
        queue.async { [self] in
            backgroundFiles.add(number, handler)
            round()
        }
        return number
    }

    func stopObservingBackgroundFiles(_ number: Int) {
        queue.async { [self] in backgroundFiles.remove(number) }
    }
}
