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
/// A look-up can't be stopped, so that it has a thread of its own. Callers that
/// ask for the same name at the same time share one: a name whose server doesn't
/// answer holds up no other name, until there are ``threads`` of them. The next names wait then, in order.
package final class SystemResolver: NameResolver {
    /// The most look-ups at a time.
    static let threads = 64

    private struct State {
        var callers: [String: [EventLoopPromise<[IPAddress]>]] = [:]
        var running = 0
        /// The names that wait for a thread.
        var queue: [String] = []
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

    package func addresses(of host: String, until deadline: NIODeadline) async throws -> [IPAddress] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: [IPAddress].self)
        // The first result counts.
        let timer = loop.scheduleTask(deadline: deadline) { promise.fail(HTTPClientError.deadlineExceeded) }
        defer { timer.cancel() }
        let begins = state.withLock { state in
            state.callers[host, default: []].append(promise)
            guard state.callers[host]?.count == 1 else { return false }
            guard state.running < Self.threads else {
                state.queue.append(host)
                return false
            }
            state.running += 1
            return true
        }
        if begins { Thread.detachNewThread { [self] in lookUpAll(from: host) } }
        return try await promise.futureResult.get()
    }

    /// How many callers wait for the addresses of a host.
    func callers(of host: String) -> Int { state.withLock { $0.callers[host]?.count ?? 0 } }

    /// Looks up a name, and then those that wait for a thread.
    private func lookUpAll(from first: String) {
        var next: String? = first
        while let host = next {
            let result = Result { try lookUp(host) }
            let promises = state.withLock { state in
                let promises = state.callers.removeValue(forKey: host) ?? []
                next = state.queue.isEmpty ? nil : state.queue.removeFirst()
                if next == nil { state.running -= 1 }
                return promises
            }
            for promise in promises { promise.completeWith(result) }
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
