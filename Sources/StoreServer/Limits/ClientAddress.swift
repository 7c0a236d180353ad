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

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        clientAddress = source.channel.remoteAddress.flatMap(Self.key)
    }

    /// The key of a network address: an IPv4 address, or the first 64 bits of
    /// an IPv6 address, because one customer has all addresses with the same
    /// 64 bits (RFC 6177). An IPv4-mapped IPv6 address, which a dual-stack
    /// socket reports (RFC 4291, section 2.5.5.2), has the key of the IPv4
    /// address.
    static func key(of address: SocketAddress) -> String? {
        guard let text = address.ipAddress else { return nil }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return text }
        return withUnsafeBytes(of: six) { bytes in
            if bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] as [UInt8]) {
                return bytes.suffix(4).map { String($0) }.joined(separator: ".")
            }
            return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
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
    private let keys: Set<String>

    /// - Parameter addresses: IP addresses of proxies; other texts are
    ///   ignored. An IPv6 address makes all addresses with its first 64 bits
    ///   trusted.
    package init(_ addresses: [String]) {
        keys = Set(addresses.compactMap(Self.key))
    }

    /// The key of an address in text; `nil` when the text isn't an IP
    /// address.
    package static func key(_ text: some StringProtocol) -> String? {
        (try? SocketAddress(ipAddress: String(text), port: 0)).flatMap(StoreRequestContext.key)
    }

    package func handle(
        _ request: Request, context: StoreRequestContext,
        next: (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let proxy = context.clientAddress, keys.contains(proxy), let name = HTTPField.Name("X-Forwarded-For"),
            let last = request.headers[name]?.split(separator: ",").last,
            let key = Self.key(last.trimmingCharacters(in: .whitespaces))
        {
            context.clientAddress = key
        }
        return try await next(request, context)
    }
}

/// The type of the store's router.
package typealias StoreRouter = Router<StoreRequestContext>
