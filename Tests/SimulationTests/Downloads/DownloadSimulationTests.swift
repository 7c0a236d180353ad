// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(24 * 60)))
struct DownloadSimulationTests {
    @Test("After any crash, cut or full disk, every finished download is the content that was bought")
    func everySeed() async throws {
        let outcome = try await Plan.downloads(ProcessInfo.processInfo.environment).run()
        print(outcome)
        for failure in outcome.failures {
            Issue.record("\(failure)")
        }
        #expect(outcome.downloads > 0)
    }

    @Test("A seed gives the same run every time", arguments: [1, 2] as [UInt64])
    func sameSeed(seed: UInt64) async throws {
        let first = try await Run.play(.downloads(12), seed: seed)
        let second = try await Run.play(.downloads(12), seed: seed)
        #expect(first.hash == second.hash)
        #expect(first.messages == second.messages)
    }
}
