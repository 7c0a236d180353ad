// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Private keys that an operator keeps elsewhere than in the authority's
/// directory.
///
/// A key that is found here is used, and never written to disk. The names are
/// `root`, `intermediate`, `leaf`, and the same with `jws-` before them.
public struct OperatorKeys: Sendable {
    let find: @Sendable (_ name: String) throws -> String?

    /// Keys that a closure finds by name, as PEM (PKCS#8, PKCS#1 or SEC 1);
    /// nil if the authority's directory has it.
    public init(find: @escaping @Sendable (_ name: String) throws -> String?) {
        self.find = find
    }

    /// All keys are in the authority's directory.
    public static let none = OperatorKeys { _ in nil }

    /// Keys in the environment: `OPENSTOREKIT_KEY_` and the name in capitals,
    /// `_` for `-`, has the PEM text; with `_FILE` behind it, the path of a
    /// file that has.
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
