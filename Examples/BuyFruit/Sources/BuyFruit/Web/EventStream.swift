// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import ServiceLifecycle

extension ServerEvents {
    /// The frames for one page, until the page is closed or the app is asked to end.
    ///
    /// The server stops when every response has ended, and this one has no end of its own. A page can also connect
    /// again after the signal, so each stream looks for the shutdown itself.
    func response() -> Response {
        let frames = listen().cancelOnGracefulShutdown()
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody(asyncSequence: frames.map { ByteBuffer(string: $0) }))
    }
}
