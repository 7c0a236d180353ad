// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDatabase
import StoreDomain
import StoreService

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a stopped store into another database.",
        discussion: """
            Copies every table and compares counts and sums. The source isn't changed. A copy that was broken off is \
            begun anew by running the same command again. The signing authority is files: give serve the same --data.
            """)

    @Argument(help: "The database of the stopped store: sqlite:PATH or postgres://USER@HOST/DATABASE.")
    var source: String

    @Argument(help: "An empty database, or one that an earlier try has left.")
    var target: String

    func validate() throws {
        guard DatabaseLocation(source) != nil, DatabaseLocation(target) != nil else {
            throw ValidationError(
                "Name two databases, each as sqlite:PATH or postgres://USER@HOST/DATABASE: the source, then the target."
            )
        }
        guard source != target else { throw ValidationError("Source and target are the same database.") }
    }

    func run() async throws {
        try await storectl.run {
            guard let from = DatabaseLocation(source), let to = DatabaseLocation(target) else { return }
            try from.expectFile()
            let locks = [try from.lock(), try to.lock()]
            defer { withExtendedLifetime(locks) {} }
            let (source, target) = (try await from.openEngine(), try await to.openEngine())
            let copied = try await CopyingStore(from: source, to: target)(now: SystemDependencies.clock.now()) {
                table in
                print("\(table.table): \(table.rows)")
            }
            print("Copied \(copied.map(\.rows).reduce(0, +)) rows; counts and sums are the same.")
            try source.close()
            try target.close()
        }
    }
}
