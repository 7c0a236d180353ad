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
    /// The work of a store for one operation of the measured side; `nil` for a row without
    /// a store.
    var spent: String?
    /// Additional remarks.
    var notes: [String] = []

    /// The number of rounds that are counted.
    static let rounds = 5

    /// Runs all sides in turn, so that other work of the machine affects all
    /// of them, after a round of each that isn't counted. The notes are the
    /// ratios to further limits, each with its name.
    init(
        _ measured: Side, against limit: Side, beside others: [(name: String, side: Side)] = []
    ) async throws {
        var rates: (measured: [Double], limit: [Double]) = ([], [])
        var otherRates = others.map { _ in [Double]() }
        var spent = Spending()
        for round in 0...Self.rounds {
            let before = measured.spending?() ?? Spending()
            let rate = try await measured.rate()
            let after = measured.spending?() ?? Spending()
            let limitRate = try await limit.rate()
            for (place, other) in others.enumerated() {
                let otherRate = try await other.side.rate()
                if round > 0 { otherRates[place].append(otherRate) }
            }
            guard round > 0 else { continue }
            rates.measured.append(rate)
            rates.limit.append(limitRate)
            spent = spent + (after - before)
        }
        self.measured = Self.median(rates.measured)
        measuredUnit = measured.unit
        self.limit = Self.median(rates.limit)
        limitUnit = limit.unit
        if measured.spending != nil { self.spent = spent.description(of: measured.operations * Self.rounds) }
        for (other, rates) in zip(others, otherRates) {
            let rate = Self.median(rates)
            notes.append(
                "\(Self.ratio(self.measured, rate)) of \(other.name) \(Int(rate.rounded())) \(other.side.unit)/s")
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
            + ([spent].compactMap(\.self) + notes).map { " | \($0)" }.joined()
    }

    private static func ratio(_ measured: Double, _ limit: Double) -> Double {
        (measured / limit * 1000).rounded() / 1000
    }
}

/// One side of a row; a round returns its rate per second.
struct Side {
    var unit: String
    /// The operations of a round.
    var operations: Int
    /// The numbers until now of the store that the side uses.
    var spending: (() -> Spending)?
    var rate: () async throws -> Double

    /// A side whose round measures its own rate.
    init(_ unit: String, each operations: Int = 1, rate: @escaping () async throws -> Double) {
        self.unit = unit
        self.operations = operations
        self.rate = rate
    }

    /// A side whose round is a fixed number of operations, timed as a whole.
    init(_ unit: String, operations: Int, _ round: @escaping () async throws -> Void) {
        self.init(unit, each: operations) {
            let duration = try await ContinuousClock().measure(round)
            return Double(operations) / (duration / .seconds(1))
        }
    }

    /// The same side, which also prints the work of stores for an operation.
    func spending(in stores: BenchmarkStore...) -> Side {
        var side = self
        side.spending = { stores.map(\.spent).reduce(Spending(), +) }
        return side
    }
}
