// SPDX-License-Identifier: Apache-2.0

/// The environment that signed a payload.
///
/// A name without a constant here is kept as it is.
public struct PayloadEnvironment: RawRepresentable, Hashable, Sendable, PayloadValue {
    /// The name in the payload.
    public var rawValue: String

    /// The environment of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Real purchases with real money.
    public static let production = PayloadEnvironment(rawValue: "Production")
    /// Test accounts; nothing is charged.
    public static let sandbox = PayloadEnvironment(rawValue: "Sandbox")
    /// Local testing in Xcode.
    public static let xcode = PayloadEnvironment(rawValue: "Xcode")
    /// Local testing of other kinds.
    public static let localTesting = PayloadEnvironment(rawValue: "LocalTesting")
}
