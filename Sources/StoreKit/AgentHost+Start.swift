// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
package import StoreAgent

// The agent's environment, clock, randomness and network and, in a debug
// build, the fault point that a test selects.
extension AgentHost {
    static func makeAgent(_ configuration: StoreKitConfiguration) throws -> Agent {
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
            faults: faults(at: environment["OPENSTOREKIT_CRASH_AT"]), logger: logger)
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

    /// In a debug build, kills the process when it reaches the step that
    /// `OPENSTOREKIT_CRASH_AT` names: `step`, `step:before` or `step:after`.
    private static func faults(at name: String?) -> @Sendable (String) -> Void {
        #if DEBUG
        guard let name, !name.isEmpty else { return { _ in } }
        let wanted = name.contains(":") ? name : name + ":before"
        return { step in
            if step == wanted { kill(getpid(), SIGKILL) }
        }
        #else
        return { _ in }
        #endif
    }
}
