// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird

/// The back end's routes.
struct Routes: Sendable {
    let garden: Garden

    private struct Credentials: Decodable {
        var name: String
        var password: String
    }

    private struct Spending: Decodable {
        var coins: Int
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        addProducts(to: router)
        addSignIn(to: router)
        addPurchases(to: router)
        return router
    }

    private func addProducts(to router: Router<BasicRequestContext>) {
        router.get("/products") { request, _ in
            let (list, tag) = (garden.catalogue.list, garden.catalogue.tag)
            let fields: HTTPFields = [.eTag: tag, .cacheControl: "max-age=3600", .contentType: "application/json"]
            guard !EntityTag.matches(request.headers[.ifNoneMatch], tag) else {
                return Response(status: .notModified, headers: fields)
            }
            return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: list)))
        }
        router.get("/content/{product}") { request, context in
            let name = try await customer(request)
            let data = try await garden.file(of: context.parameters.get("product") ?? "", for: name)
            return Self.content(data, request)
        }
    }

    private func addSignIn(to router: Router<BasicRequestContext>) {
        router.post("/customers") { request, _ in
            let sent = try await Self.decode(Credentials.self, request)
            try await garden.register(sent.name, sent.password)
            return try Response.json(await garden.signIn(sent.name, sent.password), status: .created)
        }
        router.post("/sessions") { request, _ in
            let sent = try await Self.decode(Credentials.self, request)
            return try Response.json(await garden.signIn(sent.name, sent.password), status: .created)
        }
        router.delete("/sessions") { request, _ in
            try await garden.signOut(token: try Self.token(request))
            return Response(status: .noContent)
        }
    }

    private func addPurchases(to router: Router<BasicRequestContext>) {
        router.get("/purchases") { request, _ in
            try Response.json(await garden.state(of: await customer(request)))
        }
        router.post("/receipts") { request, _ in
            let name = try await customer(request)
            return try Response.json(await garden.add(try await Self.body(request, upTo: 1 << 20), to: name))
        }
        router.post("/free/{product}") { request, context in
            let name = try await customer(request)
            return try Response.json(await garden.give(context.parameters.get("product") ?? "", to: name))
        }
        router.post("/spend") { request, _ in
            let name = try await customer(request)
            return try Response.json(await garden.spend(try await Self.decode(Spending.self, request).coins, of: name))
        }
    }

    private func customer(_ request: Request) async throws -> String {
        try await garden.name(token: try Self.token(request))
    }

    private static func token(_ request: Request) throws -> String {
        guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else { throw Refusal.noSession }
        return String(field.dropFirst(7))
    }

    private static func body(_ request: Request, upTo limit: Int) async throws -> Data {
        var request = request
        guard let body = try? await request.collectBody(upTo: limit) else { throw Refusal.tooLarge }
        return Data(body.readableBytesView)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ request: Request) async throws -> Value {
        let data = try await body(request, upTo: 4096)
        guard let value = try? JSONDecoder().decode(type, from: data) else { throw Refusal.badRequest }
        return value
    }

    /// A file, or the part of it that an interrupted download still needs.
    private static func content(_ data: Data, _ request: Request) -> Response {
        let tag = EntityTag.of(data)
        var fields: HTTPFields = [
            .eTag: tag, .acceptRanges: "bytes", .contentType: "application/octet-stream",
            .cacheControl: "private, no-cache",
        ]
        switch ByteRange(request.headers[.range], if: request.headers[.ifRange], tag: tag, length: data.count) {
        case .whole:
            return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
        case .part(let range):
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(data.count)"
            let part = data.dropFirst(range.lowerBound).prefix(range.count)
            return Response(
                status: .partialContent, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: part)))
        case .unsatisfiable:
            fields[.contentRange] = "bytes */\(data.count)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
    }
}
