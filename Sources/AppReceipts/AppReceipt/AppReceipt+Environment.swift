// SPDX-License-Identifier: Apache-2.0

extension AppReceipt {
    /// The environment that issued a receipt.
    ///
    /// A name without a constant here is kept as it is.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The name in the receipt.
        public var rawValue: String

        /// The environment of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Real purchases with real money.
        public static let production = Environment(rawValue: "Production")
        /// Test accounts; nothing is charged.
        public static let sandbox = Environment(rawValue: "ProductionSandbox")
        /// Volume purchases of an organisation.
        public static let productionVolumePurchase = Environment(rawValue: "ProductionVPP")
        /// Volume purchases with test accounts of an organisation.
        public static let sandboxVolumePurchase = Environment(rawValue: "ProductionVPPSandbox")
        /// Local testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")

        /// Whether this is ``production`` or ``productionVolumePurchase``.
        public var isProduction: Bool { self == .production || self == .productionVolumePurchase }
    }
}
