// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Logging
internal import StoreAPI

extension AgentConfiguration {
    /// Reads the variables that begin with `STOREKIT_`, and the bundle's
    /// Info.plist for what they don't say.
    ///
    /// Without an identifier in either, the app goes by the name of its
    /// executable, with one warning.
    ///
    /// - Throws: ``AgentError`` with the code `configuration`, naming the
    ///   variable and the remedy.
    package init(environment: [String: String], bundle: Bundle = .main, logger: Logger) throws {
        let variables = AgentEnvironment(environment)
        var identifier = variables["STOREKIT_BUNDLE_ID"] ?? bundle.bundleIdentifier
        if identifier == nil {
            let name = bundle.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
            logger.warning(
                """
                The app has no bundle identifier, so that it goes by its executable's name, "\(name)". Set \
                STOREKIT_BUNDLE_ID to the identifier that the app is registered under.
                """)
            identifier = name
        }
        let version = bundle.infoDictionary?["CFBundleShortVersionString"] as? String
        self.init(
            storeURL: try variables.storeURL(),
            bundleIdentifier: try AgentEnvironment.checkedIdentifier(identifier ?? ""),
            applicationVersion: variables["STOREKIT_APP_VERSION"] ?? version ?? "1.0",
            home: variables.home, trust: variables.file("STOREKIT_TRUST"),
            tlsRoots: variables.file("STOREKIT_TLS_ROOTS"), sheet: try variables.sheet(),
            languages: variables.languages)
    }
}

extension AgentConfiguration {
    /// The folder of what the device remembers, as the environment says it.
    package static func home(in environment: [String: String]) -> URL {
        AgentEnvironment(environment).home
    }
}

/// The variables of an environment, read as what they mean.
struct AgentEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// An empty variable counts as none.
    subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    func file(_ name: String) -> URL? {
        self[name].map { URL(fileURLWithPath: $0) }
    }

    /// The XDG Base Directory Specification has the default.
    var home: URL {
        if let home = file("STOREKIT_HOME") { return home }
        if let data = self["XDG_DATA_HOME"], data.hasPrefix("/") {
            return URL(fileURLWithPath: data).appendingPathComponent("storekit", isDirectory: true)
        }
        let user = self["HOME"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
        return user.appendingPathComponent(".local/share/storekit", isDirectory: true)
    }

    func storeURL() throws -> URL? {
        guard let text = self["STOREKIT_STORE_URL"] else { return nil }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, !host.isEmpty
        else {
            throw AgentError(
                .configuration,
                """
                STOREKIT_STORE_URL is "\(text)", which is no address of a store. Set it to one such as \
                http://127.0.0.1:8080.
                """)
        }
        return url
    }

    func sheet() throws -> SheetPresentation {
        switch self["STOREKIT_SHEET"] {
        case nil, "browser":
            return .browser(command: self["BROWSER"])
        case "terminal":
            return .terminal
        case let text? where text.hasPrefix("script:") && text.count > "script:".count:
            return .script(path: String(text.dropFirst("script:".count)))
        case let text?:
            throw AgentError(
                .configuration,
                """
                STOREKIT_SHEET is "\(text)", which is no way to show the payment sheet. Set it to browser, to \
                terminal, or to script: and the path of a program.
                """)
        }
    }

    /// The customer's languages by gettext's rules: `LANGUAGE` is a list, the
    /// others name one locale with a character set behind it.
    var languages: [String] {
        let list = self["LANGUAGE"] ?? self["LC_ALL"] ?? self["LC_MESSAGES"] ?? self["LANG"] ?? ""
        let names = list.split(separator: ":").map { name in
            String(name.prefix { $0 != "." && $0 != "@" })
        }
        // A store takes no more of them than that, and no longer ones.
        let known = names.filter { $0 != "C" && $0 != "POSIX" && Language.refusal(of: $0) == nil }
            .prefix(Languages.count)
        return known.isEmpty ? ["en_US"] : Array(known)
    }

    /// The identifier names a folder, so it mustn't lead out of it.
    static func checkedIdentifier(_ identifier: String) throws -> String {
        guard !identifier.isEmpty, !identifier.hasPrefix("."), !identifier.contains("/"), identifier.utf8.count < 200
        else {
            throw AgentError(
                .configuration,
                """
                "\(identifier)" can't be a bundle identifier. Set STOREKIT_BUNDLE_ID to one such as com.example.fruit.
                """)
        }
        return identifier
    }
}
