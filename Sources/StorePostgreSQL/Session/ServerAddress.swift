// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// The server's address: a URL that libpq parses, with several hosts, TLS by
/// `sslmode`, `target_session_attrs` and libpq's other parameters.
///
/// The URL may contain the password and is never part of a message. Messages
/// contain ``name``, which is built from the parts that are not secret.
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
        // An unescaped @, / or : in the password moves the rest of it into the
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

    /// Removes the password from a text of libpq.
    func redact(_ text: String) -> String {
        password.map { text.replacing($0, with: "…") } ?? text
    }

    private static let unreadable = DatabaseError(
        .other,
        """
        The database's URL can't be read. It looks like postgres://user:password@host:5432/name?sslmode=verify-full; \
        in the password, write a character that isn't a letter or a digit as % and two hexadecimal digits.
        """)

    /// The URL's parts by keyword, as libpq parses it. libpq's error message
    /// is dropped because it quotes the URL.
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
