// SPDX-License-Identifier: Apache-2.0

package import StoreMeasurement
import Synchronization
package import Testing

/// The work of a store for an operation.
package struct OperationCost: Hashable, Sendable, CustomStringConvertible {
    /// Messages of devices, and requests of browsers and sellers' servers. 0
    /// for an operation that is measured below them.
    package var requests: Int
    package var database: RecordingDatabase.Count
    /// Signatures of receipts.
    package var signatures: Int

    package init(requests: Int = 0, transactions: Int, statements: Int, commits: Int, signatures: Int = 0) {
        self.requests = requests
        database = RecordingDatabase.Count(transactions: transactions, statements: statements, commits: commits)
        self.signatures = signatures
    }

    package var description: String { "\(requests) requests, \(database), \(signatures) signatures" }

    package static func - (left: OperationCost, right: OperationCost) -> OperationCost {
        var difference = left
        difference.requests -= right.requests
        difference.database = left.database - right.database
        difference.signatures -= right.signatures
        return difference
    }

    /// Requires that operations cost exactly their budget.
    package static func expect(
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
package final class MeasuredOperations: Sendable {
    private struct State {
        var isMeasured = false
        var requests = 0
        var begun: OperationCost?
        var costs: [String: OperationCost] = [:]
    }

    private static let operations = [
        "reserve": "confirm", "authorise": "authorise", "commit": "commit", "capture": "capture",
    ]

    /// The metrics of the store.
    package let signatures = SignatureCount()
    package let recorder: RecordingDatabase
    private let state = Mutex(State())

    /// Measures a store on a database.
    package init(in recorder: RecordingDatabase) {
        self.recorder = recorder
    }

    package var costs: [String: OperationCost] { state.withLock { $0.costs } }

    private var spent: OperationCost {
        let count = recorder.count
        return OperationCost(
            requests: state.withLock { $0.requests }, transactions: count.transactions, statements: count.statements,
            commits: count.commits, signatures: signatures.total)
    }

    /// Counts a request for the operation that is measured.
    package func countRequest() { state.withLock { $0.requests += 1 } }

    /// Measures the fault points from now on.
    package func begin() { state.withLock { $0.isMeasured = true } }

    package func end() { state.withLock { $0.isMeasured = false } }

    package func reach(_ point: String) {
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

    @discardableResult
    package func measure<T, Failure: Error>(
        _ operation: String, _ body: () async throws(Failure) -> T
    ) async throws(Failure) -> T {
        let before = spent
        let result = try await body()
        let cost = spent - before
        state.withLock { $0.costs[operation] = cost }
        return result
    }
}
