// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The texts that a process runs repeatedly, with the facts derived from them.
/// All its databases share them: a text is read once, not once for each
/// database.
///
/// GRDB keeps the prepared statement of each text that it is asked to keep,
/// without a limit. Only the texts in this cache are kept there, so that its
/// memory doesn't grow with statements that have values in their text.
package final class StatementTexts: Sendable {
    /// The texts of this process.
    package static let shared = StatementTexts()

    /// The largest number of texts in the cache. The sources have about 1,200, a third of them of migrations.
    static let countLimit = 2_000
    /// The largest number of bytes of a text in the cache.
    static let lengthLimit = 4_096

    private struct State {
        var kept: [String: StatementText] = [:]
        /// Texts that were run once since this set was emptied.
        var seen: Set<String> = []
    }

    private let state = Mutex(State())

    /// Returns the facts about a text, and whether its prepared statement may
    /// be kept. Ends the process for a statement that begins or ends a
    /// transaction.
    ///
    /// A text is kept from its second use on. A text that differs each time
    /// never takes a place.
    package func text(of sql: String) -> (text: StatementText, isKept: Bool) {
        if let text = state.withLock({ $0.kept[sql] }) { return (text, true) }
        let text = StatementText(sql)
        guard sql.utf8.count <= Self.lengthLimit else { return (text, false) }
        return state.withLock { state in
            guard state.kept.count < Self.countLimit else { return (text, false) }
            guard state.seen.remove(sql) == nil else {
                state.kept[sql] = text
                return (text, true)
            }
            if state.seen.count >= Self.countLimit { state.seen = [] }
            state.seen.insert(sql)
            return (text, false)
        }
    }

    /// The number of texts in memory.
    var count: Int { state.withLock { $0.kept.count + $0.seen.count } }
}
