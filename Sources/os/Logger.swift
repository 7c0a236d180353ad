// SPDX-License-Identifier: Apache-2.0

internal import Logging

/// Writes messages of a subsystem and a category, with values that are kept out of the log unless they are public.
///
/// ```swift
/// let logger = Logger(subsystem: "com.example.Fruit", category: "purchases")
/// logger.info("\(product.id, privacy: .public) was bought by \(customer)")  // com.example.apple was bought by <private>
/// ```
///
/// The messages go through swift-log (see `OSLog`). swift-log has a level for each function but `trace`, `log` and
/// `fault`, which Apple writes as `debug`, `notice` and `critical`.
public struct Logger: Sendable {
    private let log: OSLog

    /// Makes a logger of a subsystem, such as `com.example.Fruit`, and one of its categories, such as `purchases`.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// Makes a logger of messages without a subsystem.
    public init() {
        log = .default
    }

    /// Makes a logger that writes to a log.
    public init(_ logObj: OSLog) {
        log = logObj
    }

    /// Writes a message of the default type.
    public func log(_ message: OSLogMessage) { log.write(message, level: .notice) }
    /// Writes a message of a type.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message, level: level.level) }
    /// Writes a message that helps to find a mistake.
    public func trace(_ message: OSLogMessage) { log.write(message, level: .debug) }
    /// Writes a message that helps to find a mistake.
    public func debug(_ message: OSLogMessage) { log.write(message, level: .debug) }
    /// Writes a message that helps, but isn't needed, to explain a failure.
    public func info(_ message: OSLogMessage) { log.write(message, level: .info) }
    /// Writes a message that explains a failure.
    public func notice(_ message: OSLogMessage) { log.write(message, level: .notice) }
    /// Writes a message about something unexpected.
    public func warning(_ message: OSLogMessage) { log.write(message, level: .warning) }
    /// Writes a message about a failure.
    public func error(_ message: OSLogMessage) { log.write(message, level: .error) }
    /// Writes a message about a mistake of the program.
    public func critical(_ message: OSLogMessage) { log.write(message, level: .critical) }
    /// Writes a message about a mistake of the program.
    public func fault(_ message: OSLogMessage) { log.write(message, level: .critical) }
}
