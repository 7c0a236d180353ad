// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
package import NIOCore
import NIOPosix
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system's resolver (`getaddrinfo`).
///
/// A look-up can't be stopped, so that it has a thread of its own. Callers of a
/// team that ask for the same name at the same time share one. There are
/// ``threads`` at a time, and ``threadsOfATeam`` of each team: names whose
/// servers don't answer hold up no other team's. The next names wait, in order,
/// for as long as a caller waits for them.
package final class SystemResolver: NameResolver {
    /// The most look-ups at a time.
    package static let threads = 64
    /// The most look-ups of a team at a time.
    package static let threadsOfATeam = 8

    /// A name of a team.
    private struct Name: Hashable {
        var host: String
        var team: String
    }

    private struct State {
        var callers: [Name: [Int: EventLoopPromise<[IPAddress]>]] = [:]
        var nextCaller = 0
        /// The names that are looked up.
        var running: Set<Name> = []
        /// The names that wait for a thread, in their order.
        var queue: [Name] = []

        func hasThread(for name: Name) -> Bool {
            running.count < SystemResolver.threads
                && running.count { $0.team == name.team } < SystemResolver.threadsOfATeam
        }

        /// Takes the first name out of the queue that may be looked up now.
        mutating func begin() -> Name? {
            guard let place = queue.firstIndex(where: hasThread) else { return nil }
            let name = queue.remove(at: place)
            running.insert(name)
            return name
        }
    }

    private let state = Mutex(State())
    private let lookUp: @Sendable (String) throws -> [IPAddress]

    package init() {
        lookUp = Self.system
    }

    /// A resolver with another look-up, for tests.
    init(lookUp: @escaping @Sendable (String) throws -> [IPAddress]) {
        self.lookUp = lookUp
    }

    package func addresses(
        of host: String, for team: String = "", until deadline: NIODeadline
    ) async throws -> [IPAddress] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: [IPAddress].self)
        // The first result counts.
        let timer = loop.scheduleTask(deadline: deadline) { promise.fail(HTTPClientError.deadlineExceeded) }
        defer { timer.cancel() }
        let name = Name(host: host, team: team)
        let (caller, begun) = state.withLock { state in
            state.nextCaller += 1
            state.callers[name, default: [:]][state.nextCaller] = promise
            if !state.running.contains(name), !state.queue.contains(name) { state.queue.append(name) }
            return (state.nextCaller, state.begin())
        }
        if let begun { Thread.detachNewThread { [self] in lookUpAll(from: begun) } }
        defer { leave(caller, name) }
        return try await promise.futureResult.get()
    }

    /// How many callers wait for the addresses of a host.
    func callers(of host: String) -> Int {
        state.withLock { state in state.callers.reduce(0) { $0 + ($1.key.host == host ? $1.value.count : 0) } }
    }

    /// Forgets a caller that waits no more, and a name in the queue that no
    /// other one waits for.
    private func leave(_ caller: Int, _ name: Name) {
        state.withLock { state in
            state.callers[name]?[caller] = nil
            guard state.callers[name]?.isEmpty == true else { return }
            state.callers[name] = nil
            state.queue.removeAll { $0 == name }
        }
    }

    /// Looks up a name, and then those that wait for a thread.
    private func lookUpAll(from first: Name) {
        var next: Name? = first
        while let name = next {
            let result = Result { try lookUp(name.host) }
            let promises = state.withLock { state in
                state.running.remove(name)
                next = state.begin()
                return state.callers.removeValue(forKey: name) ?? [:]
            }
            for promise in promises.values { promise.completeWith(result) }
        }
    }

    private static func system(_ host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else { throw UnknownName(host: host) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ai_next
            guard let address = address(entry.pointee), !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        return addresses
    }

    /// The address of an entry; the number of an interface isn't a part of it.
    private static func address(_ entry: addrinfo) -> IPAddress? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return IPAddress(String(name.prefix { $0 != "%" }))
    }
}

/// The error of a name without an address.
struct UnknownName: Error {
    var host: String
}
