// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import StoreAPI
import StoreService

/// Who may use the remote control: whoever can read the token in the store's
/// folder.
package struct ControlAccess: Sendable {
    package var token: String
    /// Names by which the store is called; a browser that was led here by
    /// another name (DNS rebinding) is refused.
    package var hosts: Set<String>

    package init(token: String, hosts: Set<String>) {
        self.token = token
        self.hosts = hosts
    }
}

/// The sandbox's remote control: what `storectl approve`, `refund` and the
/// others call.
struct ControlRoutes {
    let service: StoreService
    let access: ControlAccess

    private static let bodyLimit = 64 << 10

    func add(to router: Router<BasicRequestContext>) {
        for verb in Control.Verb.allCases {
            router.post("\(Control.folder)/\(verb.rawValue)") { request, _ in
                try check(request)
                let body = try await request.wholeBody(upTo: Self.bodyLimit)
                let answer = try await service.control(verb, Data(body.readableBytesView))
                return Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: .init(bytes: answer)))
            }
            router.onOtherMethods("\(Control.folder)/\(verb.rawValue)", allowed: .post)
        }
    }

    /// - Throws: `StoreFailure`: `crossSite`, `credentialsMissing`.
    private func check(_ request: Request) throws {
        try request.refuseOtherOrigins()
        guard let authority = request.head.authority, access.hosts.contains(Self.host(of: authority)) else {
            throw StoreFailure(.crossSite, "The remote control is called by the store's own name only.")
        }
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
            Self.equal(String(header.dropFirst("Bearer ".count)), access.token)
        else {
            throw StoreFailure(
                .credentialsMissing, "Send \"Authorization: Bearer <token>\", with control.token of the store's folder."
            )
        }
    }

    /// The name without the port; an IPv6 address keeps its brackets.
    static func host(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority.lowercased() }
        return authority[..<colon].lowercased()
    }

    /// Compares in a time that doesn't tell where two tokens differ.
    private static func equal(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
