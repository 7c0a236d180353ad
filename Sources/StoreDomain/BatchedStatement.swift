// SPDX-License-Identifier: Apache-2.0

/// A statement that takes a list of values, as in `IN ($2, $3, …)`.
///
/// It has only two SQL texts, for one value and for ``size``, because engines
/// cache prepared statements by their text. A shorter batch is padded with its
/// first value, which the engines look up once.
///
/// ```swift
/// let apps = BatchedStatement(firstPlace: 1) { "SELECT name FROM app WHERE bundle_id IN (\($0))" }
/// for batch in apps.batches(of: identifiers) { rows += try db.rows(batch.sql, batch.values) }
/// ```
struct BatchedStatement: Sendable {
    /// The largest number of values in one statement.
    static let size = 100

    private let one: String
    private let many: String

    /// Makes the texts. The values are the parameters from `firstPlace` on.
    init(firstPlace: Int, _ sql: (_ list: String) -> String) {
        func text(_ count: Int) -> String {
            sql((firstPlace..<firstPlace + count).map { "$\($0)" }.joined(separator: ", "))
        }
        one = text(1)
        many = text(Self.size)
    }

    /// The values of one execution with its text.
    struct Batch<Value: Sendable>: Sendable {
        var sql: String
        var values: [Value]
    }

    /// Splits values into batches; a value that occurs twice is in one batch
    /// once.
    func batches<Value: Hashable & Sendable>(of values: some Collection<Value>) -> [Batch<Value>] {
        var seen: Set<Value> = []
        let distinct = values.filter { seen.insert($0).inserted }
        return stride(from: 0, to: distinct.count, by: Self.size).map { start in
            let batch = distinct[start..<min(start + Self.size, distinct.count)]
            guard batch.count > 1 else { return Batch(sql: one, values: Array(batch)) }
            let padding = repeatElement(distinct[start], count: Self.size - batch.count)
            return Batch(sql: many, values: Array(batch) + padding)
        }
    }
}
