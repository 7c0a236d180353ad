// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Prints one line per row, `name | measured | limit | ratio`, for all rows or
/// for those that are named.
@main
struct StoreBenchmarks {
    static let rows: [any Row.Type] =
        [
            PurchasesRow.self, AgentsRow.self, PasswordsRow.self, SheetRow.self, ProductsRow.self, ItemPageRow.self,
            VerifyReceiptRow.self,
            VerifyReceiptBoughtRow.self, VerifyReceiptOldRow.self, ReceiptsRow.self, AuthorityRow.self,
            ReceiptReadingRow.self, ReceiptOf100Row.self, ReceiptOf10000Row.self, ReceiptMemoryRow.self,
            SignedPayloadRow.self, SignedPayloadColdRow.self, LaunchRow.self, RestoreRow.self, SessionRow.self,
            LargeAccountRow.self, GrownStoreRow.self, StreamsRow.self, SubscriptionYearRow.self, RenewalsRow.self,
            DueSubscriptionsRow.self, ContentOf1Row.self, ContentOf64Row.self, ContentRedirectedRow.self,
            ContentMemoryRow.self, ContentClientMemoryRow.self, ContentFilesRow.self, EphemeralStartRow.self,
            AuthorityKeysRow.self, ResetRow.self, FilledResetRow.self, DaemonLaunchRow.self, DaemonMemoryRow.self,
            AllTransactionsRow.self, EntitlementsRow.self, UpdatesRow.self, TransactionSessionRow.self,
            ServerAPIRow.self, ServerHistoryRow.self, NotificationsRow.self, NotificationMemoryRow.self,
            ConnectProductsRow.self, ConnectTransactionsRow.self, PackageSizeRow.self, PackageStartRow.self,
        ] + postgreSQLRows

    #if POSTGRESQL
    private static let postgreSQLRows: [any Row.Type] = [
        PostgreSQLPurchasesRow.self, PostgreSQLEngineRow.self, PostgreSQLNodesRow.self, PostgreSQLAuthorityRow.self,
        PostgreSQLLargeAccountRow.self, PostgreSQLGrownStoreRow.self, PostgreSQLDueSubscriptionsRow.self,
        PostgreSQLFilledResetRow.self,
    ]
    #else
    private static let postgreSQLRows: [any Row.Type] = []
    #endif

    static func main() async {
        // A connection that the server closes must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == ["--list"] {
            for row in rows { print("\(row.name): \(row.summary)") }
            return
        }
        if arguments.count == 3, arguments.first == ReceiptMemoryRow.childArgument {
            do {
                try ReceiptMemoryRow.measure(receipt: arguments[2], root: arguments[3])
            } catch {
                refuse("\(error)", status: 1)
            }
            return
        }
        if arguments.count == 2, arguments.first == "--launch", let home = arguments.last {
            do { return try await UnfinishedQueue.launched(home: home) } catch { refuse("\(error)", status: 1) }
        }
        if arguments.count == 4, arguments.first == "--restore" {
            do {
                return try await LongRestore.restored(home: arguments[2], store: arguments[3], trust: arguments[4])
            } catch {
                refuse("\(error)", status: 1)
            }
        }
        if arguments.count == 3, arguments.first == ContentMemoryRow.childArgument {
            do {
                return try await ContentMemoryRow.measure(
                    folder: URL(fileURLWithPath: arguments[2]), transaction: arguments[3])
            } catch {
                refuse("\(error)", status: 1)
            }
        }
        if arguments.count == 4, arguments.first == ContentClientMemoryRow.childArgument, let port = Int(arguments[3]) {
            do {
                return try await ContentClientMemoryRow.measure(
                    folder: URL(fileURLWithPath: arguments[2]), port: port, transaction: arguments[4])
            } catch {
                refuse("\(error)", status: 1)
            }
        }
        if arguments.count == 4, arguments.first == WaitingPurchase.childArgument {
            do {
                return try await WaitingPurchase.receive(home: arguments[2], store: arguments[3], trust: arguments[4])
            } catch {
                refuse("\(error)", status: 1)
            }
        }
        if arguments.count == 4, arguments.first == SignedHistory.childArgument {
            do {
                return try await SignedHistory.read(home: arguments[2], trust: arguments[3], list: arguments[4])
            } catch {
                refuse("\(error)", status: 1)
            }
        }
        if arguments.count == 5, arguments.first == ListeningApp.childArgument {
            do {
                return try await ListeningApp.listen(
                    home: arguments[2], store: arguments[3], trust: arguments[4], api: arguments[5])
            } catch {
                refuse("\(error)", status: 1)
            }
        }
        let unknown = arguments.filter { name in !rows.contains { $0.name == name } }
        guard unknown.isEmpty else {
            refuse(
                "There is no row \(unknown.joined(separator: ", ")); there are "
                    + "\(rows.map { $0.name }.joined(separator: ", ")), and --list explains them.", status: 64)
        }
        // A row that fails, such as one whose tool isn't installed, doesn't keep the others from running.
        var status: Int32 = 0
        for row in rows where arguments.isEmpty || arguments.contains(row.name) {
            do {
                print("\(row.name) | \(try await row.compare())")
                // Writes the row immediately, also into a pipe.
                fflush(nil)
            } catch {
                complain("\(row.name): \(error)")
                status = 1
            }
        }
        exit(status)
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }

    private static func refuse(_ message: String, status: Int32) -> Never {
        complain(message)
        exit(status)
    }
}

/// A benchmark that could not run, or whose results were wrong: their rate has
/// no meaning.
struct BenchmarkFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
