// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The least work that a server on Hummingbird can do for a POST.
struct StaticServer: Sendable {
    static let path = "/static"

    let answer: Data

    func server(port: Int, onServerRunning: @escaping @Sendable () async -> Void) -> any Service {
        let body = ByteBuffer(bytes: answer)
        let router = Router(context: BasicRequestContext.self)
        router.post("\(Self.path)") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: body))
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
