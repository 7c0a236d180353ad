// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import Synchronization

/// Limits how often an action happens for each key, such as a network
/// address: ``burst`` times without a pause, then ``perSecond`` times a
/// second.
///
/// It keeps at most ``capacity`` keys in memory. To make room it removes the
/// keys that have their whole burst again, then arbitrary ones.
package final class RateLimiter: Sendable {
    let burst: Double
    let perSecond: Double
    package static let capacity = 10_000

    private struct Bucket {
        var tokens: Double
        var filled: WallTime
    }

    private let buckets = Mutex<[String: Bucket]>([:])

    package init(burst: Int, perSecond: Double) {
        self.burst = Double(burst)
        self.perSecond = perSecond
    }

    /// The number of keys in memory.
    var count: Int { buckets.withLock { $0.count } }

    /// Counts one action of a key if it is allowed.
    ///
    /// - Returns: `nil` when it is allowed, else the seconds until the next
    ///   one is.
    package func take(_ key: String, now: WallTime) -> Int? {
        buckets.withLock { buckets in
            var bucket = filled(buckets[key], now)
            let seconds = bucket.tokens >= 1 ? nil : wait(bucket)
            if seconds == nil { bucket.tokens -= 1 }
            if buckets[key] == nil, buckets.count >= Self.capacity { makeRoom(&buckets, now) }
            buckets[key] = bucket
            return seconds
        }
    }

    /// The seconds until the next action of a key is allowed, without
    /// counting one; `nil` when it is allowed now.
    package func wait(_ key: String, now: WallTime) -> Int? {
        buckets.withLock { buckets in
            let bucket = filled(buckets[key], now)
            return bucket.tokens >= 1 ? nil : wait(bucket)
        }
    }

    private func wait(_ bucket: Bucket) -> Int {
        max(1, Int(((1 - bucket.tokens) / perSecond).rounded(.up)))
    }

    private func filled(_ bucket: Bucket?, _ now: WallTime) -> Bucket {
        guard let bucket else { return Bucket(tokens: burst, filled: now) }
        // A clock that was set back neither adds nor removes tokens.
        let seconds = Double(max(0, now.milliseconds - bucket.filled.milliseconds)) / 1000
        return Bucket(tokens: min(burst, bucket.tokens + seconds * perSecond), filled: now)
    }

    private func makeRoom(_ buckets: inout [String: Bucket], _ now: WallTime) {
        buckets = buckets.filter { filled($0.value, now).tokens < burst }
        // Removes a tenth of all keys, so that the filter above runs rarely.
        guard buckets.count > Self.capacity * 9 / 10 else { return }
        for key in buckets.keys.prefix(Self.capacity / 10) { buckets[key] = nil }
    }
}
