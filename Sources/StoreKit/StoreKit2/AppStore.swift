// SPDX-License-Identifier: Apache-2.0

/// The store as a whole, for one customer.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum AppStore: Sendable {
    /// The environment of a transaction.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in signed values.
        public let rawValue: String

        /// An environment with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Payments are charged.
        public static let production = AppStore.Environment(rawValue: "Production")
        /// A store for tests: nothing is charged.
        public static let sandbox = AppStore.Environment(rawValue: "Sandbox")
        /// A configuration file in Xcode.
        public static let xcode = AppStore.Environment(rawValue: "Xcode")
    }

    /// The platform on which a customer got an app first.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name in signed values.
        public let rawValue: String

        /// A platform with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// iPhone and iPad.
        public static let iOS = AppStore.Platform(rawValue: "iOS")
        /// The Mac.
        public static let macOS = AppStore.Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = AppStore.Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = AppStore.Platform(rawValue: "visionOS")
        /// Apple Watch.
        public static let watchOS = AppStore.Platform(rawValue: "watchOS")
    }
}
