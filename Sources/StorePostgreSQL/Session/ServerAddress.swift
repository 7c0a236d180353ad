// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// Where the server is, from a URL as libpq takes it: several hosts, TLS by
/// `sslmode`, `target_session_attrs` and the rest.
///
/// The URL may hold the password, so it never gets into a message: ``name``
/// does, which is put together from the parts that aren't secret.
struct ServerAddress: Sendable {
    /// The URL, with the password.
    let url: String

    /// User, hosts and database, for messages.
    let name: String

    private let password: String?

    /// - Throws: ``DatabaseError`` with code `other` for anything but a URL of
    ///   a PostgreSQL server.
    init(_ url: String) throws {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"),
            let parts = Self.parts(of: url)
        else { throw Self.unreadable }
        // An unescaped @, / or : in the password moves its rest into the
        // host, the port or the database's name, which messages show.
        let shown = [parts["host"], parts["port"], parts["dbname"], parts["user"]].map { $0 ?? "" }
        guard !shown.contains(where: { $0.contains("@") }),
            shown[1].allSatisfy({ $0.isNumber || $0 == "," })
        else { throw Self.unreadable }
        self.url = url
        password = parts["password"].flatMap { $0.isEmpty ? nil : $0 }
        let user = shown[3].isEmpty ? "" : "\(shown[3])@"
        let port = shown[1].isEmpty ? "" : ":\(shown[1])"
        name = "postgres://\(user)\(shown[0])\(port)/\(shown[2])"
    }

    /// Takes the password out of a text that comes from elsewhere.
    func redact(_ text: String) -> String {
        password.map { text.replacing($0, with: "…") } ?? text
    }

    private static let unreadable = DatabaseError(
        .other,
        """
        The database's URL can't be read. It looks like postgres://user:password@host:5432/name?sslmode=verify-full; \
        in the password, write a character that isn't a letter or a digit as % and two hexadecimal digits.
        """)

    /// libpq's own reading of the URL, by keyword. Its complaint isn't passed
    /// on: it quotes the URL.
    private static func parts(of url: String) -> [String: String]? {
        guard let options = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var parts: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parts[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return parts
    }
}
