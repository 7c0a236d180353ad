// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore

/// The context of a request, with the network address that limits count it
/// for.
package struct StoreRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The key by which limits count the sender; `nil` for a request that
    /// comes from no IP address, as in tests without a port.
    package var clientAddress: String?
    /// The whole address that the connection comes from.
    let remoteAddress: NetworkAddress?
    /// The connection.
    let channel: any Channel
    /// The event loop that writes to the connection.
    var eventLoop: any EventLoop { channel.eventLoop }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress.flatMap { NetworkAddress($0) }
        clientAddress = remoteAddress?.key
        channel = source.channel
    }

    /// A part of the path without its percent-encoding (RFC 3986, section 2.1).
    ///
    /// - Throws: `HTTPError` if the route has no such part.
    func part(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
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
