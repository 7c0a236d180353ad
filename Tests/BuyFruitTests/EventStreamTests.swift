// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import ServiceLifecycleTestKit
import StoreTestSupport
import Testing

@testable import BuyFruit

/// The streams that tell BuyFruit's open pages of changes.
@Suite(.timeLimit(.hang))
struct EventStreamTests {
    /// The frames of a response, which the app's server would write to a page.
    private struct Frames: ResponseBodyWriter {
        mutating func write(_ buffer: ByteBuffer) async throws {}
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test("A page that connects after the app was asked to end gets a stream that ends")
    func lateStream() async throws {
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            let response = await ServerEvents().response()
            try await response.body.write(Frames())
        }
    }

    @Test("A page's open stream ends when the app is asked to end")
    func openStream() async throws {
        try await testGracefulShutdown { trigger in
            let response = await ServerEvents().response()
            async let written: Void = response.body.write(Frames())
            trigger.triggerGracefulShutdown()
            try await written
        }
    }
}
