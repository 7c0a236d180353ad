// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreAgent

@Suite("The estimate of the remaining time")
struct TransferRateTests {
    /// A transfer of 1,000 bytes a second, in steps of a quarter of a second.
    private func steady(seconds: Int64) -> TransferRate {
        var rate = TransferRate()
        for step in 0...(seconds * 4) { rate.record(step * 250, at: 5_000 + step * 250) }
        return rate
    }

    @Test("The time is unknown in the first second")
    func unknown() {
        var rate = TransferRate()
        #expect(rate.remaining(1_000) == nil)
        rate.record(0, at: 0)
        rate.record(500, at: 500)
        #expect(rate.remaining(1_000) == nil)
        rate.record(1_000, at: 1_000)
        #expect(rate.remaining(1_000) == 1_000)
    }

    @Test("A steady transfer has the exact time")
    func exact() {
        #expect(steady(seconds: 10).remaining(30_000) == 30_000)
        #expect(steady(seconds: 10).remaining(0) == 0)
    }

    @Test("A change of the rate counts two thirds after five seconds, and nearly all after twenty")
    func smoothed() throws {
        func bytesPerSecond(after seconds: Int64) throws -> Double {
            var rate = steady(seconds: 30)
            let (begin, received): (Int64, Int64) = (35_000, 30_000)
            for step in 1...(seconds * 4) { rate.record(received + step * 2_500, at: begin + step * 250) }
            return 1_000_000_000 / Double(try #require(rate.remaining(1_000_000)))
        }

        // From 1,000 to 10,000 bytes a second.
        #expect((1_000..<3_500).contains(try bytesPerSecond(after: 1)))
        #expect((6_500..<7_000).contains(try bytesPerSecond(after: 5)))
        #expect((9_800..<10_000).contains(try bytesPerSecond(after: 20)))
    }

    @Test("One slow second doesn't change the estimate much")
    func outlier() throws {
        var rate = steady(seconds: 30)
        rate.record(30_010, at: 36_000)
        let time = try #require(rate.remaining(10_000))
        #expect((10_000..<13_000).contains(time))
    }

    @Test("A clock that was set back, and a transfer that starts over, begin a new estimate")
    func setBack() {
        var rate = steady(seconds: 10)
        rate.record(10_100, at: 1_000)
        #expect(rate.remaining(1_000) == nil)

        var again = steady(seconds: 10)
        again.record(0, at: 16_000)
        #expect(again.remaining(1_000) == nil)
    }

    @Test("A transfer that stands still, or would take years, has no estimate")
    func endless() {
        var still = TransferRate()
        for second in 0...5 { still.record(7, at: Int64(second) * 1_000) }
        #expect(still.remaining(1) == nil)

        var slow = TransferRate()
        for second in 0...5 { slow.record(Int64(second), at: Int64(second) * 1_000) }
        #expect(slow.remaining(2_000_000_000) == nil)
        #expect(slow.remaining(20) == 20_000)
    }

    @Test("Progress is reported at most four times a second")
    func reports() {
        var meter = TransferMeter()
        let reports = (0..<1_000).compactMap { meter.report($0, of: 2_000, at: 10_000 + $0) }

        #expect(reports.map(\.received) == [0, 250, 500, 750])
        #expect(meter.report(1_100, of: 2_000, at: 11_100)?.remaining == 900)
    }

    @Test("A clock that was set back doesn't stop the reports")
    func reportsAfterSetBack() {
        var meter = TransferMeter()
        #expect(meter.report(1, of: 10, at: 10_000) != nil)
        #expect(meter.report(2, of: 10, at: 5_000) != nil)
    }
}
