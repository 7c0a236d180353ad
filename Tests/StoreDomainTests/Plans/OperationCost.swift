// SPDX-License-Identifier: Apache-2.0

import StoreMeasurement
import StoreTestSupport
import Synchronization
import Testing

/// The work of a store for an operation.
struct OperationCost: Hashable, CustomStringConvertible {
    var database: RecordingDatabase.Count
    /// Signatures of receipts.
    var signatures: Int

    init(transactions: Int, statements: Int, commits: Int, signatures: Int = 0) {
        database = RecordingDatabase.Count(transactions: transactions, statements: statements, commits: commits)
        self.signatures = signatures
    }

    var description: String { "\(database), \(signatures) signatures" }

    static func - (left: OperationCost, right: OperationCost) -> OperationCost {
        var difference = left
        difference.database = left.database - right.database
        difference.signatures -= right.signatures
        return difference
    }

    /// Requires that operations cost exactly their budget.
    static func expect(
        _ costs: [String: OperationCost], toBe budget: [(operation: String, cost: OperationCost)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(costs.keys) == Set(budget.map(\.operation)), sourceLocation: sourceLocation)
        for (operation, cost) in budget {
            guard let spent = costs[operation] else { continue }
            #expect(
                spent == cost, "\(operation) costs \(spent); its budget is \(cost)", sourceLocation: sourceLocation)
        }
    }
}

/// Measures the cost of each operation. The steps of a confirmation are measured
/// between the fault points before and after them.
final class MeasuredOperations: Sendable {
    private struct State {
        var isMeasured = false
        var begun: OperationCost?
        var costs: [String: OperationCost] = [:]
    }

    private static let operations = [
        "reserve": "confirm", "authorise": "authorise", "commit": "commit", "capture": "capture",
    ]

    /// The metrics of the store.
    let signatures = SignatureCount()
    private let recorder: RecordingDatabase
    private let state = Mutex(State())

    /// Measures a store on a database.
    init(in recorder: RecordingDatabase) {
        self.recorder = recorder
    }

    var costs: [String: OperationCost] { state.withLock { $0.costs } }

    private var spent: OperationCost {
        let count = recorder.count
        return OperationCost(
            transactions: count.transactions, statements: count.statements, commits: count.commits,
            signatures: signatures.total)
    }

    /// Measures the fault points from now on.
    func begin() { state.withLock { $0.isMeasured = true } }

    func end() { state.withLock { $0.isMeasured = false } }

    func reach(_ point: String) {
        let words = point.split(separator: ":")
        guard words.count == 2, let operation = Self.operations[String(words[0])] else { return }
        let spent = spent
        state.withLock { state in
            guard state.isMeasured else { return }
            if words[1] == "before" {
                state.begun = spent
            } else if let begun = state.begun {
                state.costs[operation] = spent - begun
            }
        }
    }

    func measure<T>(_ operation: String, _ body: () async throws -> T) async throws -> T {
        let before = spent
        let result = try await body()
        let cost = spent - before
        state.withLock { $0.costs[operation] = cost }
        return result
    }
}
