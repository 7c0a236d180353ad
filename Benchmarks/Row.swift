// SPDX-License-Identifier: Apache-2.0

/// A benchmark: a part of this project, compared with the limit for it.
protocol Row: Sendable {
    static var name: String { get }
    /// The two sides that are compared.
    static var summary: String { get }

    static func compare() async throws -> Comparison
}

/// Both sides of a row: medians of rounds that were run in turn.
struct Comparison: CustomStringConvertible {
    var measured: Double
    var measuredUnit: String
    var limit: Double
    var limitUnit: String
    /// Whether the numbers are per second.
    var isRate = true
    /// An additional remark.
    var note: String?

    /// The number of rounds that are counted.
    static let rounds = 5

    /// Runs all sides in turn, so that other work of the machine affects all
    /// of them, after a round of each that isn't counted. A third side may
    /// measure bare signatures of the same library; the note is then the ratio
    /// to it.
    init(_ measured: Side, against limit: Side, noting own: Side? = nil) async throws {
        var rates: (measured: [Double], limit: [Double], own: [Double]) = ([], [], [])
        for round in 0...Self.rounds {
            let these = (try await measured.rate(), try await limit.rate(), try await own?.rate())
            guard round > 0 else { continue }
            rates.measured.append(these.0)
            rates.limit.append(these.1)
            if let rate = these.2 { rates.own.append(rate) }
        }
        self.measured = Self.median(rates.measured)
        measuredUnit = measured.unit
        self.limit = Self.median(rates.limit)
        limitUnit = limit.unit
        if let own {
            let rate = Self.median(rates.own)
            note = "\(Self.ratio(self.measured, rate)) of swift-crypto's own \(Int(rate.rounded())) \(own.unit)/s"
        }
    }

    /// Makes a row of amounts that do not vary, such as bytes.
    init(_ measured: Double, against limit: Double, unit: String) {
        self.measured = measured
        self.limit = limit
        (measuredUnit, limitUnit) = (unit, unit)
        isRate = false
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    var description: String {
        func text(_ amount: Double, _ unit: String) -> String {
            "\(Int(amount.rounded())) \(unit)\(isRate ? "/s" : "")"
        }
        return "\(text(measured, measuredUnit)) | \(text(limit, limitUnit)) | \(Self.ratio(measured, limit))"
            + (note.map { " | \($0)" } ?? "")
    }

    private static func ratio(_ measured: Double, _ limit: Double) -> Double {
        (measured / limit * 1000).rounded() / 1000
    }
}

/// One side of a row; a round returns its rate per second.
struct Side {
    var unit: String
    var rate: () async throws -> Double

    /// A side whose round measures its own rate.
    init(_ unit: String, rate: @escaping () async throws -> Double) {
        self.unit = unit
        self.rate = rate
    }

    /// A side whose round is a fixed number of operations, timed as a whole.
    init(_ unit: String, operations: Int, _ round: @escaping () async throws -> Void) {
        self.init(unit) {
            let duration = try await ContinuousClock().measure(round)
            return Double(operations) / (duration / .seconds(1))
        }
    }
}
