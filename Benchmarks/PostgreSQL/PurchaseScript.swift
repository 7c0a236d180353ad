// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import Foundation
import StoreCore
import StoreDatabase
import StoreDomain
import StoreMeasurement

/// The statements that a purchase has run, with nothing around them, as a
/// script of pgbench.
///
/// Each client of pgbench buys as one of the store's customers. An argument
/// that is the same in two purchases of a customer is a constant of the
/// script. One that differs is new in each run, as the identifiers of a
/// purchase are.
struct PurchaseScript {
    private let text: String
    /// The constants.
    private(set) var variables: [(name: String, value: String)] = [(name: "ready", value: "0")]

    /// Makes the script from two purchases of a customer; `nil` if they didn't
    /// run the same statements, because other work came in between.
    init?(_ first: [RecordedTransaction], _ second: [RecordedTransaction], of buyer: Purchases.Buyer) {
        guard first.map(\.shape) == second.map(\.shape) else { return nil }
        var arguments = Arguments(buyer)
        var lines: [String] = []
        for (one, other) in zip(first, second) {
            lines.append("BEGIN ISOLATION LEVEL \(one.isolation);")
            if let lock = one.lock {
                lines.append(arguments.text(lock.sql, lock.arguments, other.lock?.arguments ?? []) + ";")
            }
            for (statement, same) in zip(one.statements, other.statements) {
                lines.append(arguments.text(statement.sql, statement.arguments, same.arguments) + ";")
            }
            lines.append("COMMIT;")
        }
        let made = arguments.new.map { "\\set \($0.name) :run * 1000 + \($0.number)" }
        text = (Self.head + made + lines).joined(separator: "\n") + "\n"
        variables += arguments.constants
    }

    /// The purchases that clients of pgbench make with the script.
    func side(on cluster: BenchmarkCluster, clients: Int, in folder: URL) throws -> Side {
        let file = folder.appending(path: "purchase-\(UUID()).pgbench")
        try Data(text.utf8).write(to: file)
        return Side(
            "purchases",
            rate: { try await cluster.transactions(clients: clients, script: file, variables: variables) })
    }

    /// The first run of a client reads which customer it is. A variable keeps
    /// its value in the client's later runs.
    private static let head = [
        "\\if :ready = 0",
        """
        SELECT account_id AS account, bucket, device_id AS device, token_hash AS session FROM bench_customer \
        WHERE client = :client_id \\gset
        """,
        "\\set ready 1",
        "\\endif",
        "\\set run random(1, 90000000000000)",
    ]

    /// Records purchases of a customer until two of them ran the same
    /// statements, and makes the script.
    static func recording(
        _ database: RecordingDatabase, of buyer: Purchases.Buyer, buying body: () async throws -> Void
    ) async throws -> PurchaseScript {
        var last: [RecordedTransaction]?
        for _ in 0..<10 {
            let transactions = try await database.transactions(during: body)
            if let last, let script = PurchaseScript(last, transactions, of: buyer) { return script }
            last = transactions
        }
        throw BenchmarkFailure("No two purchases of a customer ran the same statements.")
    }

    /// Makes the table that maps pgbench's clients to the customers who have
    /// bought in a store.
    static func makeCustomers(_ customers: [Purchases.Buyer], in database: any Database) async throws {
        try await database.write(.all) { connection in
            try connection.run(
                """
                CREATE TABLE bench_customer
                    (client BIGINT PRIMARY KEY, account_id TEXT NOT NULL, bucket BIGINT NOT NULL,
                    device_id TEXT NOT NULL, token_hash TEXT NOT NULL)
                """)
            for (client, buyer) in customers.enumerated() {
                try connection.run(
                    """
                    INSERT INTO bench_customer (client, account_id, bucket, device_id, token_hash)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    [client, buyer.account, AccountIdentifier(buyer.account).bucket, buyer.device, buyer.session])
            }
        }
    }
}

extension RecordedTransaction {
    /// The part that two runs of the same operation have in common.
    fileprivate var shape: [String] {
        [isolation, lock?.sql ?? ""] + statements.flatMap { [$0.sql, "\($0.arguments.count)"] }
    }

    /// The isolation that the PostgreSQL engine gives the transaction.
    fileprivate var isolation: String {
        switch kind {
        case .read: "REPEATABLE READ, READ ONLY"
        case .write(.all): "SERIALIZABLE, READ WRITE"
        case .write: "READ COMMITTED, READ WRITE"
        }
    }

    /// The lock that the PostgreSQL engine takes first.
    fileprivate var lock: Statement? {
        switch kind {
        case .read, .write(.all): nil
        case .write(.account(let account)): Statement(sql: Schema.accountLock, arguments: [.text(account)])
        case .write(.key(let key)):
            Statement(sql: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", arguments: [.text(key)])
        }
    }
}

/// The variables of the script, by the arguments that they replace.
private struct Arguments {
    /// The arguments that are new in each run.
    private(set) var new: [(name: String, number: Int)] = []
    private(set) var constants: [(name: String, value: String)] = []
    private var names: [[DatabaseValue]: String]
    private let bucket: DatabaseValue

    init(_ buyer: Purchases.Buyer) {
        names = [:]
        for (value, name) in [(buyer.account, "account"), (buyer.device, "device"), (buyer.session, "session")] {
            names[[.text(value), .text(value)]] = ":\(name)::text"
        }
        bucket = .integer(Int64(AccountIdentifier(buyer.account).bucket))
    }

    /// A statement with variables instead of its parameters.
    mutating func text(_ sql: String, _ first: [DatabaseValue], _ second: [DatabaseValue]) -> String {
        let hasBucket = sql.contains("bucket")
        let variables = zip(first, second).map { one, other in
            hasBucket && one == bucket && other == bucket ? ":bucket::bigint" : variable(one, other)
        }
        return sql.replacing(/\$([0-9]+)/) { match in
            Int(match.1).flatMap { variables.indices.contains($0 - 1) ? variables[$0 - 1] : nil } ?? String(match.0)
        }
    }

    /// The variable of an argument, with the type that the engine gives it.
    private mutating func variable(_ first: DatabaseValue, _ second: DatabaseValue) -> String {
        if let known = names[[first, second]] { return known }
        let made: String
        switch first {
        case .null: return "NULL"
        case .text(let text):
            made = first == second ? constant(text, "text") : fresh("text")
        case .integer(let integer):
            // A later time is no key.
            made = first == second || Self.isTime(integer) ? constant(String(integer), "bigint") : fresh("bigint")
        case .blob(let data):
            // A purchase's own bytes have the same length each time.
            made = constant("\\x" + data.hexadecimal, "bytea")
        }
        names[[first, second]] = made
        return made
    }

    private mutating func constant(_ value: String, _ type: String) -> String {
        let name = "c\(constants.count)"
        constants.append((name: name, value: value))
        return ":\(name)::\(type)"
    }

    private mutating func fresh(_ type: String) -> String {
        let name = "n\(new.count)"
        new.append((name: name, number: new.count))
        return ":\(name)::\(type)"
    }

    /// Whether a number is a time of this century in milliseconds.
    private static func isTime(_ integer: Int64) -> Bool { (946_684_800_000..<4_102_444_800_000).contains(integer) }
}
#endif
