// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDatabase
import StoreDomain

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a stopped store into another database.",
        discussion: """
            Copies every table and compares counts and sums. The source isn't changed. A copy that was broken off is \
            begun anew by running the same command again. A signing authority in the database is copied, encrypted as it \
            is. If it is files, give serve the same --data.
            """)

    @Argument(
        help: "The database of the stopped store: sqlite:PATH or postgres://USER@HOST/DATABASE.")
    var source: DatabaseArgument

    @Argument(
        help: "An empty database, or one that an earlier try has left.")
    var target: DatabaseArgument

    func validate() throws {
        _ = try (source.location(), target.location())
        guard source != target else { throw ValidationError("Source and target are the same database.") }
    }

    func run() async throws {
        try await storectl.run {
            let (from, to) = try (source.location(), target.location())
            try from.expectFile()
            let locks = [try from.lock(), try to.lock()]
            defer { withExtendedLifetime(locks) {} }
            let (original, copy) = (try from.open(), try to.open())
            let copied = try await CopyingStore(from: original, to: copy)(now: SystemDependencies.clock.now()) {
                table in
                print("\(table.table): \(table.rows)")
            }
            print("Copied \(copied.map(\.rows).reduce(0, +)) rows; counts and sums are the same.")
            try original.close()
            try copy.close()
        }
    }
}
