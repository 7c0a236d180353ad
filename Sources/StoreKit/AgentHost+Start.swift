// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
package import StoreAgent
import StoreCore

// The agent's environment, clock, randomness and network and, in a debug
// build, the fault point that a test selects.
extension AgentHost {
    static func makeAgent(
        _ configuration: StoreKitConfiguration, system: any AgentSystem = PosixSystem(.app)
    ) throws -> Agent {
        if case .impossible(let reason) = ReceiptHook.state {
            say(
                """
                Bundle.main.appStoreReceiptURL stays nil (\(reason)) Use StoreKitConfiguration.receiptURL instead.
                """)
        }
        let environment = configuration.environment(over: ProcessInfo.processInfo.environment)
        let logger = makeLogger()
        let agentConfiguration = try AgentConfiguration(environment: environment, logger: logger)
        if agentConfiguration.storeURL == nil {
            say("No store is configured. Set STOREKIT_STORE_URL to its address, such as http://127.0.0.1:8080.")
        }
        return try Agent(
            agentConfiguration, connection: try agentConfiguration.makeConnection(),
            presenter: agentConfiguration.sheet.presenter, clock: systemClock,
            random: AgentRandom(SystemRandomNumberGenerator()),
            faults: CrashPoint.handler(environment), system: system, logger: logger)
    }

    /// The configuration of the app under test: the identifier and the version
    /// from code, the environment or its Info.plist.
    ///
    /// - Throws: ``AgentError`` with the code `configuration`.
    package static func appUnderTest() throws -> AgentConfiguration {
        let environment = shared.configuration.environment(over: ProcessInfo.processInfo.environment)
        var values = environment.filter { ["STOREKIT_BUNDLE_ID", "STOREKIT_APP_VERSION"].contains($0.key) }
        if values["STOREKIT_BUNDLE_ID", default: ""].isEmpty, Bundle.main.bundleIdentifier == nil {
            values["STOREKIT_BUNDLE_ID"] = "com.example.app-under-test"
        }
        return try AgentConfiguration(environment: values, logger: makeLogger())
    }

    /// The restrictions of the device, which apply to all of its apps.
    static func restrictions(_ configuration: StoreKitConfiguration) -> DeviceRestrictions {
        let environment = configuration.environment(over: ProcessInfo.processInfo.environment)
        return DeviceRestrictions(home: AgentConfiguration.home(in: environment))
    }

    private static var systemClock: AgentClock {
        AgentClock(
            now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
            sleep: { duration in try await Task.sleep(for: duration) })
    }

    /// Logs warnings and errors to standard error, because the app uses
    /// standard output.
    private static func makeLogger() -> Logger {
        var logger = Logger(label: "StoreKit") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return logger
    }
}
