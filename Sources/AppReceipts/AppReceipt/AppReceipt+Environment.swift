// SPDX-License-Identifier: Apache-2.0

extension AppReceipt {
    /// The environment that issued a receipt. Names that this version doesn't
    /// know survive.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The name as it stands in the receipt.
        public var rawValue: String

        /// The environment of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Real purchases with real money.
        public static let production = Environment(rawValue: "Production")
        /// Test accounts; nothing is charged.
        public static let sandbox = Environment(rawValue: "ProductionSandbox")
        /// Real purchases of an organisation, in volume.
        public static let productionVolumePurchase = Environment(rawValue: "ProductionVPP")
        /// Test accounts of an organisation, in volume.
        public static let sandboxVolumePurchase = Environment(rawValue: "ProductionVPPSandbox")
        /// Local testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")

        /// Whether the receipt is one of real purchases, in volume or not.
        public var isProduction: Bool { self == .production || self == .productionVolumePurchase }
    }
}
