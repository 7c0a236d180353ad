// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Private keys that an operator keeps outside of the authority's directory.
///
/// A key that is found here is used, and isn't written to disk. The names are
/// `root`, `intermediate` and `leaf`, and the same with the prefix `jws-`. An
/// existing authority also looks for its OCSP delegates' keys, under names
/// such as `ocsp-root` and `jws-ocsp-intermediate`.
public struct OperatorKeys: Sendable {
    let find: @Sendable (_ name: String) throws -> String?

    /// Keys that a closure finds by name. The closure returns PEM (PKCS#8,
    /// PKCS#1 or SEC 1), or nil if the key is in the authority's directory.
    public init(find: @escaping @Sendable (_ name: String) throws -> String?) {
        self.find = find
    }

    /// All keys are in the authority's directory.
    public static let none = OperatorKeys { _ in nil }

    /// Keys in environment variables.
    ///
    /// A variable's name is `OPENSTOREKIT_KEY_` and the key's name in
    /// capitals, with `_` for `-`. Its value is the PEM text. With the suffix
    /// `_FILE`, its value is the path of a file with the PEM text.
    ///
    /// - Parameter environment: The process's environment variables.
    /// - Returns: The keys. Finding one throws if its file can't be read.
    public static func environment(_ environment: [String: String]) -> OperatorKeys {
        OperatorKeys { name in
            let variable = "OPENSTOREKIT_KEY_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
            if let pem = environment[variable], !pem.isEmpty { return pem }
            guard let file = environment[variable + "_FILE"], !file.isEmpty else { return nil }
            return try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
        }
    }
}
