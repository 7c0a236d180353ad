// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import OSLog
import Testing

@testable import os

@Suite("OSLog")
struct LoggerTests {
    @Test("A message keeps texts and objects private, and numbers public, unless it says otherwise")
    func privacy() {
        let messages: [(OSLogMessage, String)] = [
            ("\("secret")", "<private>"),
            ("\("known", privacy: .public)", "known"),
            ("\(Secret())", "<private>"),
            ("\(Secret(), privacy: .public)", "a secret"),
            ("\(Int.self, privacy: .public)", "Int"),
            ("\(7) of \(UInt8(9), privacy: .private)", "7 of <private>"),
            ("\(true) \(false, format: .answer) \(true, privacy: .sensitive)", "true no <sensitive>"),
            ("\(255, format: .hex(includePrefix: true, uppercase: true, minDigits: 4))", "0x00FF"),
            ("\(Int8.min, format: .hex)", "-80"),
            ("\(8, format: .octal) \(8, format: .decimal(explicitPositiveSign: true))", "10 +8"),
            ("\(3.14159) \(Float(0.5), format: .fixed(precision: 1))", "3.141590 0.5"),
            ("\(1e300, format: .exponential(precision: 2)) \(Double.nan, format: .hybrid)", "1.00e+300 nan"),
            ("[\("a", align: .right(columns: 3), privacy: .public)][\(1, align: .left(columns: 3))]", "[  a][1  ]"),
            ("without a value", "without a value"),
        ]
        for (message, text) in messages { #expect(message.text == text) }
    }

    @Test("A masked value is the same for equal values, and shows none of it")
    func mask() {
        func masked(_ text: String) -> String { ("\(text, privacy: .private(mask: .hash))" as OSLogMessage).text }
        #expect(masked("apple") == masked("apple"))
        #expect(masked("apple") != masked("pear"))
        #expect(masked("apple").hasPrefix("<mask.hash: ") && !masked("apple").contains("apple"))
    }

    @Test("Each function writes its level with the category, and a value of a message that isn't written isn't read")
    func levels() {
        let recorder = Recorder()
        var base = Logging.Logger(label: "com.example.Fruit") { _ in recorder }
        base.logLevel = .info
        let log = OSLog(base, category: "purchases")
        let logger = os.Logger(log)
        func unread() -> String { Issue.record("This value is read."); return "" }
        logger.debug("\(unread())")
        logger.trace("\(unread())")
        logger.info("1")
        logger.notice("2")
        logger.log("3")
        logger.warning("4")
        logger.error("5")
        logger.critical("6")
        logger.fault("7")
        logger.log(level: .error, "8")
        os_log(.fault, log: log, "9")
        os_log(
            "%{public}s costs %{public}.2f, %d of %{private}d, %5x|%-4d|%c, 100 %%, %@", log: log, type: .info,
            "apple", 0.99, -7, 9, 255, 1, CInt(65))
        os_log("Nothing of %s", log: log, type: .error, "secret")
        os_log("As it stands", log: log)
        os.Logger(.disabled).fault("\(unread())")
        #expect(
            recorder.lines.withLock { $0 } == [
                "info purchases 1", "notice purchases 2", "notice purchases 3", "warning purchases 4",
                "error purchases 5",
                "critical purchases 6", "critical purchases 7", "error purchases 8", "critical purchases 9",
                "info purchases apple costs 0.99, -7 of <private>,    ff|1   |A, 100 %, %@",
                "error purchases Nothing of <private>", "notice purchases As it stands",
            ])
        #expect(!log.isEnabled(type: .debug) && log.isEnabled(type: .info) && !OSLog.disabled.isEnabled(type: .fault))
    }
}

private struct Secret: CustomStringConvertible {
    var description: String { "a secret" }
}

private struct Recorder: LogHandler {
    let lines = OSAllocatedUnfairLock(initialState: [String]())
    var metadata: Logging.Logger.Metadata = [:]
    var logLevel = Logging.Logger.Level.trace

    subscript(metadataKey key: String) -> Logging.Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = "\(event.level) \(metadata["category"].map { "\($0)" } ?? "") \(event.message)"
        lines.withLock { $0.append(line) }
    }
}
