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

/// What routes know of a request beside its head: who sends it.
package struct StoreRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The key by which limits count the sender; `nil` where there is no
    /// network between.
    package var clientAddress: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        clientAddress = source.channel.remoteAddress.flatMap(Self.key)
    }

    /// An IPv4 address, or the first 64 bits of an IPv6 address: one customer
    /// has all addresses that share them (RFC 6177). An IPv4 address that a
    /// socket of both kinds shows as IPv6 (RFC 4291, section 2.5.5.2) is IPv4.
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

/// Proxies whose `X-Forwarded-For` is believed.
///
/// Behind a proxy every customer has the proxy's address, so that a stranger
/// would use up the limits of all of them. The last address of the field is
/// the one that the proxy has added itself; those before it are the sender's
/// words.
package struct TrustedProxies: RouterMiddleware {
    private let keys: Set<String>

    /// - Parameter addresses: IP addresses; others are left out.
    package init(_ addresses: [String]) {
        keys = Set(addresses.compactMap(Self.key))
    }

    /// The key of an address in text; `nil` for what is none.
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

/// The store's routes.
package typealias StoreRouter = Router<StoreRequestContext>
