// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import Hummingbird
import Synchronization

/// The router of a server: Hummingbird's, and an answer for the methods that a
/// path doesn't take.
package final class StoreRouter: RouterMethods, HTTPResponderBuilder {
    private let router = Router(context: StoreRequestContext.self)
    private let otherMethods = OtherMethods()

    package func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> StoreRouter where Responder.Context == StoreRequestContext {
        router.on(path, method: method, responder: responder)
        otherMethods.allow(method, at: path)
        return self
    }

    @discardableResult
    package func add(middleware: any MiddlewareProtocol<Request, Response, StoreRequestContext>) -> StoreRouter {
        router.add(middleware: middleware)
        return self
    }

    /// The path and method of each route, and of each answer for other methods.
    var routes: [(path: RouterPath, method: HTTPRequest.Method)] {
        router.routes.map { ($0.path, $0.method) } + otherMethods.routes
    }

    /// Builds the responder. Called once, after the last route was added.
    package func buildResponder() -> RouterResponder<StoreRequestContext> {
        // The routes have the middlewares that were added before them, so only a request without a route gets here.
        router.add(middleware: otherMethods)
        return router.buildResponder()
    }
}

/// Answers the methods that a path doesn't take with 405 and an error code.
///
/// The paths are in a router of their own, with one route each, which is built
/// when a request has no route: a route for each method that a path doesn't
/// take was most of the time in which a server's router was built.
private final class OtherMethods: RouterMiddleware {
    /// In the order of the header `Allow`.
    private static let all: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

    private struct Path {
        let path: RouterPath
        var allowed: Set<HTTPRequest.Method> = []
    }

    private struct State {
        var paths: [String: Path] = [:]
        var responder: RouterResponder<StoreRequestContext>?
    }

    private let state = Mutex(State())

    /// Records a route.
    func allow(_ method: HTTPRequest.Method, at path: RouterPath) {
        _ = state.withLock { $0.paths[path.description, default: Path(path: path)].allowed.insert(method) }
    }

    var routes: [(path: RouterPath, method: HTTPRequest.Method)] {
        state.withLock(\.paths).values.flatMap { path in
            Self.all.filter { !path.allowed.contains($0) }.map { (path.path, $0) }
        }
    }

    func handle(
        _ request: Request, context: StoreRequestContext,
        next: (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard Self.all.contains(request.method) else { return try await next(request, context) }
        var head = request.head
        head.method = .get
        // It throws for a path that it has, and answers 404 for others.
        _ = try await responder.respond(to: Request(head: head, body: request.body), context: context)
        return try await next(request, context)
    }

    private var responder: RouterResponder<StoreRequestContext> {
        state.withLock { state in
            if let responder = state.responder { return responder }
            let router = Router(context: StoreRequestContext.self)
            for path in state.paths.values {
                let allowed = Self.all.filter(path.allowed.contains)
                router.get(path.path) { _, _ -> Response in throw MethodNotAllowed(allowed: allowed) }
            }
            let responder = router.buildResponder()
            state.responder = responder
            return responder
        }
    }
}
