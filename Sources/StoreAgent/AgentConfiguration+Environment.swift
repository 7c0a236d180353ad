// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Logging
import StoreAPI

extension AgentConfiguration {
    /// Makes a configuration from environment variables and the bundle's
    /// Info.plist; variables take precedence.
    ///
    /// Without a bundle identifier in either, the executable's name is used,
    /// and a warning is logged.
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
            languages: variables.languages, caches: variables.caches)
    }
}

extension AgentConfiguration {
    /// The device's home folder according to an environment.
    package static func home(in environment: [String: String]) -> URL {
        AgentEnvironment(environment).home
    }
}

/// Parses environment variables.
struct AgentEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The variable's value; `nil` when it isn't set or is empty.
    subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    func file(_ name: String) -> URL? {
        self[name].map { URL(fileURLWithPath: $0) }
    }

    /// The default follows the XDG Base Directory Specification.
    var home: URL {
        if let home = file("STOREKIT_HOME") { return home }
        if let data = self["XDG_DATA_HOME"], data.hasPrefix("/") {
            return URL(fileURLWithPath: data).appendingPathComponent("storekit", isDirectory: true)
        }
        return user.appendingPathComponent(".local/share/storekit", isDirectory: true)
    }

    /// The user's caches (XDG Base Directory Specification).
    var caches: URL {
        if let caches = self["XDG_CACHE_HOME"], caches.hasPrefix("/") {
            return URL(fileURLWithPath: caches, isDirectory: true)
        }
        return user.appendingPathComponent(".cache", isDirectory: true)
    }

    private var user: URL {
        self["HOME"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
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

    /// The customer's languages, from gettext's variables in gettext's order.
    /// `LANGUAGE` is a list; the others name one locale, which may have a
    /// character set as its suffix.
    var languages: [String] {
        let list = self["LANGUAGE"] ?? self["LC_ALL"] ?? self["LC_MESSAGES"] ?? self["LANG"] ?? ""
        let names = list.split(separator: ":").map { name in
            String(name.prefix { $0 != "." && $0 != "@" })
        }
        // A store accepts neither more languages nor longer names.
        let known = names.filter { $0 != "C" && $0 != "POSIX" && Language.refusal(of: $0) == nil }
            .prefix(Languages.count)
        return known.isEmpty ? ["en_US"] : Array(known)
    }

    /// Returns the identifier if it can be the name of a folder inside the
    /// home folder.
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
