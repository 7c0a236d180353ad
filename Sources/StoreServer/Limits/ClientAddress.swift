// SPDX-License-Identifier: Apache-2.0

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
    package let clientAddress: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        clientAddress = source.channel.remoteAddress.flatMap(Self.key)
    }

    /// An IPv4 address, or the first 64 bits of an IPv6 address: one customer
    /// has all addresses that share them (RFC 6177).
    static func key(of address: SocketAddress) -> String? {
        guard let text = address.ipAddress else { return nil }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return text }
        return withUnsafeBytes(of: six) { bytes in bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
    }
}

/// The store's routes.
package typealias StoreRouter = Router<StoreRequestContext>
