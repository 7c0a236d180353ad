// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Metrics
import Synchronization

/// The meters of a server's requests.
///
/// A request costs one look-up in a dictionary that never changes, and the
/// lock of its route's meter, which is held while a few elements are
/// compared. No text is made: the router has made the route's template.
final class RequestMeters: Sendable {
    /// The values of the label `route` for a request that has no route.
    static let unmatchedRoute = "none"
    /// The methods that a request without a route is counted by; others are
    /// counted together.
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .patch, .options]

    private struct Key: Hashable {
        var route: String
        var method: HTTPRequest.Method
    }

    private final class Table: Sendable {
        let meters: [Key: RouteMeter]

        init(_ meters: [Key: RouteMeter]) {
            self.meters = meters
        }
    }

    private let factory: any MetricsFactory
    private let table = AtomicLazyReference<Table>()
    private let unmatched: [HTTPRequest.Method: RouteMeter]
    private let other: RouteMeter

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        unmatched = Dictionary(
            uniqueKeysWithValues: Self.methods.map {
                ($0, RouteMeter(factory, route: Self.unmatchedRoute, method: $0.rawValue))
            })
        other = RouteMeter(factory, route: Self.unmatchedRoute, method: "other")
    }

    /// Makes the meters of all routes. Called once, after the last route was
    /// added to the router and before the first request.
    func prepare(_ routes: [(path: RouterPath, method: HTTPRequest.Method)]) {
        let meters = routes.map { route in
            let path = route.path.description
            return (
                Key(route: path, method: route.method),
                RouteMeter(factory, route: path, method: route.method.rawValue)
            )
        }
        _ = table.storeIfNil(Table(Dictionary(meters) { first, _ in first }))
    }

    /// The meter of a request that the router has handled.
    func meter(route: String?, method: HTTPRequest.Method) -> RouteMeter {
        if let route, let meter = table.load()?.meters[Key(route: route, method: method)] { return meter }
        return unmatched[method] ?? other
    }
}

/// Counts and times every request that reaches the router, also those that it
/// refuses.
struct MeteringMiddleware: RouterMiddleware {
    let meters: RequestMeters
    let uptime: @Sendable () -> ContinuousClock.Instant

    func handle(
        _ request: Request, context: StoreRequestContext,
        next: (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        let begin = uptime()
        var status = HTTPResponse.Status.internalServerError.code
        defer {
            meters.meter(route: context.endpointPath, method: request.method)
                .count(status: status, duration: begin.duration(to: uptime()))
        }
        let response = try await next(request, context)
        status = response.status.code
        return response
    }
}
