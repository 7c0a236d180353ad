// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Synchronization

/// The clients of names that were resolved, each of which connects to one
/// address. The certificate is still checked for the name.
///
/// The client of a name that was used last replaces the oldest one beyond the
/// limit, and an address of a name its former one. A request keeps its client
/// until it ends.
final class PinnedClients: Sendable {
    /// A client that ends with its last request.
    final class Client: Sendable {
        let http: HTTPClient

        init(_ http: HTTPClient) {
            self.http = http
        }

        deinit {
            http.shutdown { _ in }
        }
    }

    private struct Entry {
        var host: String
        var address: IPAddress
        var client: Client
    }

    private let make: @Sendable (_ dnsOverride: [String: String]) -> HTTPClient
    private let limit: Int
    /// The one that was used last is the last.
    private let entries = Mutex<[Entry]>([])

    /// `limit` is the largest number of clients that wait for another request.
    init(limit: Int, _ make: @escaping @Sendable (_ dnsOverride: [String: String]) -> HTTPClient) {
        self.limit = limit
        self.make = make
    }

    /// The client that connects to an address of a host.
    func client(of host: String, at address: IPAddress) -> Client {
        let (client, former) = entries.withLock { entries -> (Client, [Entry]) in
            let known = entries.first { $0.host == host && $0.address == address }
            var former = entries.filter { $0.host == host && $0.address != address }
            entries.removeAll { $0.host == host }
            let client = known?.client ?? Client(make([host: address.text]))
            entries.append(Entry(host: host, address: address, client: client))
            if entries.count > limit { former.append(entries.removeFirst()) }
            return (client, former)
        }
        // The last reference is dropped outside of the lock.
        withExtendedLifetime(former) {}
        return client
    }
}
