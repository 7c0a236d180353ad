// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(24 * 60)))
struct DownloadSimulationTests {
    @Test("After any crash, cut or full disk, every finished download is the content that was bought")
    func everySeed() async throws {
        let outcome = try await Plan.downloads(ProcessInfo.processInfo.environment).check()
        #expect(outcome.downloads > 0)
    }

    @Test("A seed gives the same run every time", arguments: [1, 2] as [UInt64])
    func sameSeed(seed: UInt64) async throws {
        try await Run.requireRepeatable(.downloads(12), seed: seed)
    }
}
