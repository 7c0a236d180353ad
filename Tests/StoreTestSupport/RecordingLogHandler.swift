// SPDX-License-Identifier: Apache-2.0

package import Logging
import Synchronization

/// Keeps the lines that are logged at `notice` and above.
package final class RecordingLogHandler: LogHandler, Sendable {
    private let recorded = Mutex<[(level: Logger.Level, text: String)]>([])

    package init() {}

    package var lines: [String] { recorded.withLock { $0.map(\.text) } }
    package var levels: Set<Logger.Level> { recorded.withLock { Set($0.map(\.level)) } }
    package var logLevel: Logger.Level {
        get { .notice }
        set { _ = newValue }
    }
    package var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }

    package func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().reversed().joined(separator: " ")
        recorded.withLock { $0.append((event.level, "\(event.message) \(metadata)")) }
    }
}
