// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The bearer token of the remote control. A process that can read it in the
/// store's folder may use the remote control.
package struct ControlAccess: Sendable {
    package var token: String

    package init(token: String) {
        self.token = token
    }
}

/// The routes of the sandbox's remote control, which `storectl approve`,
/// `refund` and the other commands of a running store call.
struct ControlRoutes {
    let service: StoreService
    let access: ControlAccess
    let limits: RequestLimits

    static let bodyLimit = 64 << 10
    /// The limit of an import, which contains a configuration file in base64,
    /// and of an item, which contains its images.
    static let importLimit = 8 << 20

    private static func bodyLimit(_ verb: Control.Verb) -> Int {
        verb == .importCatalogue || verb == .addItem ? importLimit : bodyLimit
    }

    func add(to router: StoreRouter) {
        for verb in Control.Verb.allCases {
            router.post("\(Control.folder)/\(verb.rawValue)") { request, _ in
                try check(request)
                let answer = try await limits.bodies.withBody(of: request, from: nil, upTo: Self.bodyLimit(verb)) {
                    body in
                    try await service.control(verb, Data(body.readableBytesView))
                }
                return Self.answer(answer)
            }
        }
        addUploads(to: router)
    }

    /// The route of the parts of an upload, whose bodies are the bytes
    /// themselves.
    private func addUploads(to router: StoreRouter) {
        router.post("\(Control.folder)/\(Control.uploads)/:upload/:offset") { request, context in
            try check(request)
            let (upload, offset) = (
                try context.parameters.require("upload"), try context.parameters.require("offset")
            )
            let answer = try await limits.bodies.withBody(of: request, from: nil, upTo: service.uploadPartBytes) {
                try await service.receive(part: Data($0.readableBytesView), of: upload, at: offset)
            }
            return Self.answer(answer)
        }
    }

    private static func answer(_ json: Data) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: .init(bytes: json)))
    }

    /// - Throws: `StoreFailure`: `crossSite`, `credentialsMissing`.
    private func check(_ request: Request) throws {
        try request.refuseOtherOrigins(of: service.publicURL)
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
            Data(header.dropFirst("Bearer ".count).utf8).equalsInConstantTime(Data(access.token.utf8))
        else {
            throw StoreFailure(
                .credentialsMissing, "Send \"Authorization: Bearer <token>\", with control.token of the store's folder."
            )
        }
    }
}
