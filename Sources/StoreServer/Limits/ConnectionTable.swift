// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The open connections of a server.
///
/// At the limit a new connection replaces the one whose client the server has
/// waited for longest, so that clients that hold connections open don't keep
/// others out.
final class ConnectionTable: Sendable {
    /// The requests that a new connection may send.
    enum Admission {
        case full
        /// `/healthz` and `/readyz` only.
        case healthOnly
        case refused
    }

    private struct Entry {
        var channel: any Channel
        /// The value of `clock` when the server began to wait for the client;
        /// `nil` while the server has to respond.
        var waitingSince: UInt64?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var reserved: Set<ObjectIdentifier> = []
        var clock: UInt64 = 0
    }

    private let limit: Int
    private let reserve: Int
    private let state = Mutex(State())

    init(limit: Int, reserve: Int) {
        self.limit = limit
        self.reserve = reserve
    }

    /// The number of open connections.
    var count: Int { state.withLock { $0.entries.count + $0.reserved.count } }

    /// Adds a connection. At the limit, closes the one whose client the
    /// server has waited for longest; when it waits for none of them, the new
    /// one is reserved for health checks, or refused.
    func add(_ channel: any Channel) -> Admission {
        let key = ObjectIdentifier(channel)
        let (admission, evicted) = state.withLock { state -> (Admission, (any Channel)?) in
            var evicted: (any Channel)?
            if state.entries.count >= limit {
                let oldest = state.entries.lazy.filter { $0.value.waitingSince != nil }
                    .min { ($0.value.waitingSince ?? 0) < ($1.value.waitingSince ?? 0) }
                guard let oldest else {
                    guard state.reserved.count < reserve else { return (.refused, nil) }
                    state.reserved.insert(key)
                    return (.healthOnly, nil)
                }
                evicted = state.entries.removeValue(forKey: oldest.key)?.channel
            }
            state.clock += 1
            state.entries[key] = Entry(channel: channel, waitingSince: state.clock)
            return (.full, evicted)
        }
        evicted?.close(promise: nil)
        return admission
    }

    /// Records whether the server waits for a connection's client.
    func setWaiting(_ isWaiting: Bool, _ channel: any Channel) {
        state.withLock { state in
            state.clock += 1
            let since = isWaiting ? state.clock : nil
            state.entries[ObjectIdentifier(channel)]?.waitingSince = since
        }
    }

    func remove(_ channel: any Channel) {
        state.withLock { state in
            state.entries[ObjectIdentifier(channel)] = nil
            state.reserved.remove(ObjectIdentifier(channel))
        }
    }
}
