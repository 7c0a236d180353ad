// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The least work that a server on Hummingbird can do for a POST or a GET.
struct StaticServer: Sendable {
    static let path = "/static"

    let answer: Data
    var contentType = "application/json"

    func server(port: Int, onServerRunning: @escaping @Sendable () async -> Void) -> any Service {
        let body = ByteBuffer(bytes: answer)
        let router = Router(context: BasicRequestContext.self)
        let headers: HTTPFields = [.contentType: contentType, .cacheControl: "no-store"]
        for method in [HTTPRequest.Method.get, .post] {
            router.on("\(Self.path)", method: method) { _, _ in
                Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
            }
        }
        var application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), serverName: "OpenStoreKit", reuseAddress: true),
            onServerRunning: { _ in await onServerRunning() })
        application.logger.logLevel = .error
        return application
    }
}
