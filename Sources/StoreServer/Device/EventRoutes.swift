// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreAPI
import StoreService

/// The event stream of some apps of a device: server-sent events (WHATWG
/// HTML, "Server-sent events"), with a comment for each heartbeat.
struct EventRoutes {
    let service: StoreService
    let limits: RequestLimits

    /// The limit of the request's body: an app has two identifiers of at most
    /// 255 bytes, which JSON may write with six characters for each byte.
    static let bodyLimit = 256 << 10

    func add(to router: StoreRouter) {
        router.post("\(StorePath.folder)/\(StorePath.events.rawValue)") { request, context in
            try await stream(request, context)
        }
    }

    private func stream(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let device = try await service.admit(try request.deviceCredentials(), to: .events)
        // The body isn't kept while the stream is open.
        let body = try await limits.bodies.withBody(
            of: request, from: context.clientAddress, upTo: Self.bodyLimit
        ) { body in
            Data(body.readableBytesView)
        }
        let feed = try await service.events(body, of: device)
        let end = await InboundEndHandler.end(of: context.channel)
        return Response(
            status: .ok, headers: Self.headers,
            body: ResponseBody { writer in
                // Otherwise a client that has left would keep its place until
                // a heartbeat can't be written.
                end?.whenReached { feed.end() }
                defer { end?.forget() }
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

    /// The fields of a stream's response. nginx doesn't buffer it.
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return headers
    }()

    private func write(_ feed: SharedFeed, to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: ": open\n\n"))
        while let item = await feed.next() {
            switch item {
            case .heartbeat:
                try await writer.write(ByteBuffer(string: ": alive\n\n"))
            case .event(let event, let place):
                let frame = try StoreEventFrame(event)
                try await writer.write(
                    ByteBuffer(string: "id: \(place)\nevent: \(frame.name)\ndata: \(frame.data)\n\n"))
            }
        }
    }
}
