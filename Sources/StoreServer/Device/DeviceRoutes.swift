// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreService

/// The device protocol: decode nothing, let the service answer, send it back.
struct DeviceRoutes {
    let service: StoreService
    let limits: RequestLimits

    /// A message is small: the largest names two thousand products, or writes
    /// all values that an app may keep for an account.
    static func bodyLimit(_ path: StorePath) -> Int { path == .keyValues ? 2 << 20 : 1 << 20 }

    func add(to router: StoreRouter) {
        for path in StorePath.all {
            router.post("\(StorePath.folder)/\(path.rawValue)") { request, context in
                try await answer(request, context, path)
            }
            router.onOtherMethods("\(StorePath.folder)/\(path.rawValue)", allowed: .post)
        }
    }

    private func answer(
        _ request: Request, _ context: StoreRequestContext, _ path: StorePath
    ) async throws -> Response {
        let address = context.clientAddress
        // Who sends it is checked before memory is spent on the body.
        let device = try await service.admit(try request.deviceCredentials(), to: path)
        // A page of another site can't send credentials, so that it uses up no registration.
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

extension Router {
    /// Answers the methods that a path doesn't have with 405 and a code.
    func onOtherMethods(_ path: RouterPath, allowed: HTTPRequest.Method...) {
        let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .patch]
        for method in methods where !allowed.contains(method) {
            on(path, method: method) { _, _ -> Response in
                throw StoreFailure(
                    .methodNotAllowed, "This takes \(allowed.map(\.rawValue).joined(separator: " or ")) only.")
            }
        }
    }
}
