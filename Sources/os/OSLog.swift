// SPDX-License-Identifier: Apache-2.0

internal import Logging

/// The subsystem and the category of messages. They are written by swift-log: to standard error, unless the program has
/// chosen another handler (`LoggingSystem.bootstrap`).
///
/// The label of swift-log's logger is the subsystem, and the category is its metadata `category`.
public final class OSLog: Sendable {
    /// The log of messages without a subsystem.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that writes nothing.
    public static let disabled = OSLog(nil)

    let logger: Logging.Logger?

    /// Makes the log of a subsystem, such as `com.example.Fruit`, and one of its categories, such as `purchases`.
    public convenience init(subsystem: String, category: String) {
        self.init(Logging.Logger(label: subsystem), category: category)
    }

    convenience init(_ logger: Logging.Logger, category: String) {
        var logger = logger
        if !category.isEmpty { logger[metadataKey: "category"] = .string(category) }
        self.init(logger)
    }

    private init(_ logger: Logging.Logger?) {
        self.logger = logger
    }

    /// Returns whether messages of a type are written.
    public func isEnabled(type: OSLogType) -> Bool {
        logger.map { $0.logLevel <= type.level } ?? false
    }

    func write(_ message: OSLogMessage, level: Logging.Logger.Level) {
        write(level: level) { message.text }
    }

    func write(level: Logging.Logger.Level, _ text: () -> String) {
        logger?.log(level: level, "\(text())")
    }
}

/// The importance of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The value of os/log.h.
    public var rawValue: UInt8

    /// Makes the type of a value of os/log.h.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A message that explains a failure.
    public static let `default` = OSLogType(rawValue: 0x00)
    /// A message that helps, but isn't needed, to explain a failure.
    public static let info = OSLogType(rawValue: 0x01)
    /// A message that helps to find a mistake.
    public static let debug = OSLogType(rawValue: 0x02)
    /// A message about a failure.
    public static let error = OSLogType(rawValue: 0x10)
    /// A message about a mistake of the program.
    public static let fault = OSLogType(rawValue: 0x11)

    /// swift-log's level. A type that Apple doesn't define is written as the default one.
    var level: Logging.Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}

/// Writes a message of the default type.
public func os_log(_ message: OSLogMessage) {
    os_log(.default, message)
}

/// Writes a message to a log.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(message, level: type.level)
}

/// Writes a message with C's conversions to a log: `os_log("%{public}@ was bought", log: log, type: .info, name)`.
@_disfavoredOverload
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ args: any CVarArg...
) {
    log.write(level: type.level) { OSLogFormatString(format: message.description).text(args) }
}
