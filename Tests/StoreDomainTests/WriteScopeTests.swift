// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreMeasurement
import StoreTestSupport
import Testing

/// A write of all rows is SERIALIZABLE on PostgreSQL. It conflicts with others,
/// and after some conflicts it stops all of them in its process. The list of
/// ARCHITECTURE.md, "Transactions", has the reason for each that is left.
struct WriteScopeTests {
    /// A write without an account and a key. In the default kind of word
    /// boundaries there is none in `db.write`.
    private static var write: Regex<Substring> {
        /\bwrite(?:AndWait)?(?:\(\{|\(isUrgent: \w+\) \{| \{|\((?:[^\n{]* : )?\.all)/.wordBoundaryKind(.simple)
    }
    /// The numbers of such writes, by file.
    private static let ofAllRows = [
        "StoreDomain/Authority/AuthorityRows+Persistence.swift": 3,
        "StoreDomain/Content/BeginningUpload.swift": 1,
        "StoreDomain/Content/PublishingContent.swift": 1,
        "StoreDomain/Content/RemovingContent.swift": 1,
        "StoreDomain/Copying/CopyingStore.swift": 3,
        "StoreDomain/Families/ChangingFamily.swift": 5,
        "StoreDomain/Sandbox/MovingClock.swift": 1,
    ]

    @Test("Only the writes of the list have no account and no key in the store's source code")
    func sources() throws {
        let modules = ["StoreDomain", "StoreService", "StoreAssembly", "StoreServer", "storectl", "StoreKitTest"]
        var found: [String: Int] = [:]
        for module in modules {
            for (path, code) in try Self.files(of: module) {
                let count = code.matches(of: Self.write).count
                if count > 0 { found[path] = count }
            }
        }
        #expect(found == Self.ofAllRows)
    }

    @Test("No operation of a customer, an operator or the housekeeping writes all rows", arguments: Engine.stores)
    func operations(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let life = StoreLife(store: try await TestStore(recorder), unrecorded: database)

            let transactions = try await recorder.transactions { try await life.live() }

            #expect(transactions.count { $0.isWrite } > 100)
            for transaction in transactions where transaction.kind == .write(.all) {
                // The seller's uploads, the operator's changes of families and the clocks of families are in the list.
                if transaction.statements.contains(where: { $0.sql.contains(/content_|family_member/) }) { continue }
                Issue.record("\(transaction.statements.map(\.sql).joined(separator: "\n"))")
            }
        }
    }

    /// The paths and contents of a module's files, without comments.
    private static func files(of module: String) throws -> [(path: String, code: String)] {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources").standardizedFileURL
        let files = FileManager.default.enumerator(
            at: sources.appendingPathComponent(module), includingPropertiesForKeys: nil)
        var found: [(path: String, code: String)] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
            let path = String(file.standardizedFileURL.path.dropFirst(sources.path.count + 1))
            found.append((path, lines.joined(separator: "\n")))
        }
        #expect(!found.isEmpty, "\(module)")
        return found
    }
}
