// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The context of a request, with the network address that limits count it
/// for.
package struct StoreRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The key by which limits count the sender; `nil` for a request that
    /// comes from no IP address, as in tests without a port.
    package var clientAddress: String?
    /// The whole address that the connection comes from.
    let remoteAddress: NetworkAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress.flatMap { NetworkAddress($0) }
        clientAddress = remoteAddress?.key
    }
}

/// An IP address.
package struct NetworkAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The address of a socket; `nil` for a socket of another family.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    /// An address in text; `nil` when the text isn't an IP address. An
    /// IPv4-mapped IPv6 address, which a dual-stack socket reports (RFC 4291,
    /// section 2.5.5.2), is the IPv4 address.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let all = withUnsafeBytes(of: six) { Array($0) }
            let isMapped = all.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = isMapped ? Array(all.suffix(4)) : all
        } else {
            return nil
        }
    }

    /// Whether only this machine has the address (RFC 1122, section 3.2.1.3;
    /// RFC 4291, section 2.5.3).
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// The key that limits count the address by: an IPv4 address, or the first
    /// 64 bits of an IPv6 address, because one customer has all addresses with
    /// the same 64 bits (RFC 6177).
    var key: String {
        bytes.count == 4
            ? bytes.map { String($0) }.joined(separator: ".")
            : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}

/// Reads the sender's address from `X-Forwarded-For` in the requests of
/// trusted proxies.
///
/// Behind a proxy every customer has the proxy's address, so that one client
/// could use up the limits of all of them. The last address of the field is
/// the one that the proxy has added; the sender may have written those before
/// it.
package struct TrustedProxies: RouterMiddleware {
    private let addresses: Set<NetworkAddress>

    package init(_ addresses: [NetworkAddress]) {
        self.addresses = Set(addresses)
    }

    package func handle(
        _ request: Request, context: StoreRequestContext,
        next: (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let proxy = context.remoteAddress, addresses.contains(proxy), let name = HTTPField.Name("X-Forwarded-For"),
            let last = request.headers[name]?.split(separator: ",").last,
            let address = NetworkAddress(last.trimmingCharacters(in: .whitespaces))
        {
            context.clientAddress = address.key
        }
        return try await next(request, context)
    }
}

/// The type of the store's router.
package typealias StoreRouter = Router<StoreRequestContext>
