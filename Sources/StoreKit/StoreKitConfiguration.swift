// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Configures the app's store in code instead of in the environment.
///
/// A property that is set overrides the environment variable in parentheses.
///
/// ```swift
/// var configuration = StoreKitConfiguration()
/// configuration.storeURL = URL(string: "http://127.0.0.1:8080")
/// StoreKitConfiguration.use(configuration)
/// SKPaymentQueue.default().add(observer)
/// ```
public struct StoreKitConfiguration: Sendable {
    /// The address of the store (`STOREKIT_STORE_URL`).
    public var storeURL: URL?
    /// The app's bundle identifier (`STOREKIT_BUNDLE_ID`).
    public var bundleIdentifier: String?
    /// The app's version, as receipts name it (`STOREKIT_APP_VERSION`).
    public var applicationVersion: String?
    /// The folder of the device's data (`STOREKIT_HOME`).
    public var home: URL?
    /// A file of root certificates that receipts are verified against
    /// (`STOREKIT_TRUST`).
    public var trust: URL?
    /// How the payment sheet is shown: `browser`, `terminal` or
    /// `script:PATH` (`STOREKIT_SHEET`).
    public var sheet: String?

    /// Makes a configuration that sets nothing: the environment is used.
    public init() {}

    /// Sets the configuration of this process.
    ///
    /// Call it before StoreKit is first used: the first use fixes the
    /// configuration until the process ends.
    ///
    /// - Returns: whether it was early enough. If not, the configuration
    ///   doesn't change, and a line is written to standard error.
    @discardableResult
    public static func use(_ configuration: StoreKitConfiguration) -> Bool {
        AgentHost.shared.use(configuration)
    }

    /// The environment, overridden by the properties that are set.
    func environment(over base: [String: String]) -> [String: String] {
        let settings = [
            "STOREKIT_STORE_URL": storeURL?.absoluteString,
            "STOREKIT_BUNDLE_ID": bundleIdentifier,
            "STOREKIT_APP_VERSION": applicationVersion,
            "STOREKIT_HOME": home?.path,
            "STOREKIT_TRUST": trust?.path,
            "STOREKIT_SHEET": sheet,
        ]
        return base.merging(settings.compactMapValues { $0 }) { _, setting in setting }
    }
}
