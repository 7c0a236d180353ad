// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The stream of the live page: server-sent events (WHATWG HTML, "Server-sent
/// events"), each with the whole list as HTML.
///
/// A stream reads the list every second from the rows that all nodes write, and
/// sends it if it has changed. So it keeps no events, a reader that is too slow
/// misses only lists that have been replaced, and the list of an interrupted
/// stream is complete when it is connected again.
struct LiveStream {
    let service: StoreService
    let pages: ConsolePages
    let authentication: ConnectAuthentication
    let places = LivePlaces()

    /// The time between two reads.
    static let pause = Duration.seconds(1)
    /// The number of reads between two comments, which notice a client that
    /// has left.
    static let readsOfAHeartbeat = 15

    func add(to router: StoreRouter) {
        router.get("/pages/live.js") { _, _ in
            Response.file(PackageResources.live_js, type: "text/javascript; charset=utf-8")
        }
        router.get("/connect/live/stream") { request, context in try await stream(request, context) }
    }

    private func stream(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        do {
            let visit = try await visit(of: request)
            try visit.user.require(.seeTesters)
            let place = try places.take(by: visit.user)
            let first = try await inPlace(of: visit.user) { try await list(visit) }
            let end = await InboundEndHandler.end(of: context.channel)
            return Response(
                status: .ok, headers: Self.headers,
                body: ResponseBody { writer in
                    end?.whenReached { place.end() }
                    defer {
                        end?.forget()
                        places.free(place)
                    }
                    try await withGracefulShutdownHandler {
                        try await write(first, request, visit.user, place, to: &writer)
                    } onGracefulShutdown: {
                        place.end()
                    }
                    try await writer.finish(nil)
                })
        } catch {
            return service.failure(of: error, at: "connect").response()
        }
    }

    /// Writes the list whenever it has changed, until the client leaves, the
    /// session ends, the user may not see it any more, or the server stops.
    private func write(
        _ first: String, _ request: Request, _ user: TeamUser, _ place: LivePlaces.Place,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var (sent, reads) = (first, 0)
        try await writer.write(ByteBuffer(string: Self.event(first)))
        while !place.isEnded {
            try await service.pauseOfLivePage(Self.pause)
            guard !place.isEnded else { return }
            let next: String?
            do {
                next = try await inPlace(of: user) { try await list(try await visit(of: request)) }
            } catch let failure as StoreFailure where failure.code == .throttled {
                next = nil  // The team's requests have all of its places: the list is read a second later.
            } catch {
                return
            }
            reads += 1
            if let next, next != sent {
                try await writer.write(ByteBuffer(string: Self.event(next)))
                sent = next
            } else if reads % Self.readsOfAHeartbeat == 0 {
                try await writer.write(ByteBuffer(string: ": alive\n\n"))
            }
        }
    }

    /// The visit of the user who is signed in.
    ///
    /// - Throws: `StoreFailure` `forbidden` without a sign-in.
    private func visit(of request: Request) async throws -> ConnectVisit {
        guard let signedIn = try await authentication.signedIn(request) else {
            throw StoreFailure(.forbidden, "Sign in first.", reason: .signedOut)
        }
        return ConnectVisit(
            service: service, language: PageLanguage(request), user: signedIn.user, team: signedIn.team,
            session: signedIn.session, query: request.queryValues)
    }

    /// The list as HTML.
    ///
    /// - Throws: The errors of `StoreService.activity`.
    private func list(_ visit: ConnectVisit) async throws -> String { pages.list(try await LivePage().model(visit)) }

    /// Reads in a place of Connect, as a page does. The session is read in it, too, except the first time.
    ///
    /// - Throws: `StoreFailure` `throttled` without a place.
    private func inPlace(of user: TeamUser, _ read: () async throws -> String) async throws -> String {
        try await authentication.limits.connectPlaces.withPlace(of: user, read)
    }

    /// An event whose data is a text of several lines.
    static func event(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined() + "\n"
    }

    /// The fields of a stream's response. nginx doesn't buffer it.
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return headers
    }()
}
