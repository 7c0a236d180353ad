// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which steps of a delivery are done, in a file: the next launch goes on with
/// the step at which the app ended.
struct Progress: Sendable {
    enum Step: String, Codable {
        case recorded, downloaded
    }

    let file: URL

    private var steps: [String: [Step]] {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: [Step]].self, from: $0) } ?? [:]
    }

    func isDone(_ step: Step, of transaction: String) -> Bool { steps[transaction]?.contains(step) ?? false }

    func done(_ step: Step, of transaction: String) throws {
        var steps = steps
        steps[transaction, default: []].append(step)
        try write(steps)
    }

    /// Forgets a transaction that was finished.
    func forget(_ transaction: String) throws {
        var steps = steps
        guard steps.removeValue(forKey: transaction) != nil else { return }
        try write(steps)
    }

    private func write(_ steps: [String: [Step]]) throws {
        try JSONEncoder().encode(steps).write(to: file, options: .atomic)
    }
}
