// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreDomain
import StoreService

/// The device protocol: passes the body of each message to the service and
/// returns the service's answer.
struct DeviceRoutes {
    let service: StoreService
    let limits: RequestLimits

    /// The limit of a message's body. The largest messages name 2,000
    /// products, or write all values that an app may keep for an account.
    static func bodyLimit(_ path: StorePath) -> Int { path == .keyValues ? 2 << 20 : 1 << 20 }

    func add(to router: StoreRouter) {
        for path in StorePath.all {
            router.post("\(StorePath.folder)/\(path.rawValue)") { request, context in
                try await answer(request, context, path)
            }
        }
    }

    private func answer(
        _ request: Request, _ context: StoreRequestContext, _ path: StorePath
    ) async throws -> Response {
        let address = context.clientAddress
        // The sender is authenticated before its body is read into memory.
        let device = try await service.admit(try request.deviceCredentials(), to: path)
        // Counted after the credentials are read: a page of another site can't
        // send them, so it can't use up the registrations of its visitor's
        // address.
        if path == .register {
            try limits.registrations.count(address, now: service.clock.now(), "new devices")
        }
        let answer = try await limits.bodies.withBody(of: request, from: address, upTo: Self.bodyLimit(path)) { body in
            try await service.answer(path, Data(body.readableBytesView), from: device)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    }
}

extension Request {
    func deviceCredentials() throws -> DeviceCredentials {
        guard let header = headers[.authorization], let credentials = DeviceCredentials(authorization: header) else {
            throw StoreFailure(
                .credentialsMissing, "Send \"Authorization: Device <identifier>:<secret>\", both in hexadecimal.")
        }
        return credentials
    }
}
