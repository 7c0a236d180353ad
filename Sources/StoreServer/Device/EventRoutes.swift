// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreAPI
import StoreService

/// The event stream: server-sent events (WHATWG HTML, "Server-sent events"),
/// with a comment for each heartbeat.
struct EventRoutes {
    let service: StoreService

    func add(to router: StoreRouter) {
        router.get("\(StorePath.folder)/\(StorePath.events)") { request, _ in
            try await stream(request)
        }
        router.onOtherMethods("\(StorePath.folder)/\(StorePath.events)", allowed: .get)
    }

    private func stream(_ request: Request) async throws -> Response {
        // A body would stay in memory for as long as the stream is open.
        try request.refuseBody("A request for events has no body.")
        let query = try EventsQuery(request.uri.queryParameters)
        let feed = try await service.feed(
            EventSubscription(
                credentials: try request.deviceCredentials(), bundleIdentifier: query.bundleIdentifier,
                position: query.position, newsNumber: query.newsNumber, takesPages: query.takesPages))
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // The server waits for its open responses before it stops the
                // other services. The hub is closed here so that the streams
                // end.
                try await withGracefulShutdownHandler {
                    try await write(feed, to: &writer)
                } onGracefulShutdown: {
                    service.hub.close()
                }
                try await writer.finish(nil)
            })
    }

    private func write(_ feed: EventFeed, to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: ": open\n\n"))
        while let item = try await feed.next() {
            switch item {
            case .heartbeat:
                try await writer.write(ByteBuffer(string: ": alive\n\n"))
            case .event(let event):
                let frame = try StoreEventFrame(event)
                try await writer.write(ByteBuffer(string: "event: \(frame.name)\ndata: \(frame.data)\n\n"))
            }
        }
    }
}

extension Request {
    /// Refuses a request with a body.
    ///
    /// - Throws: `StoreFailure` `malformed`, with a sentence.
    func refuseBody(_ sentence: String) throws {
        let length = headers[.contentLength] ?? "0"
        guard length == "0", headers[.transferEncoding] == nil else { throw StoreFailure(.malformed, sentence) }
    }
}
