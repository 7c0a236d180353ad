// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Adds a target's templates, scripts, styles and descriptions to its code.
///
/// A target that uses the plugin has an enumeration `PackageResources` with a property for each of its files that isn't
/// source code: `page.css` is `PackageResources.page_css`.
///
/// SwiftPM's own `.embedInCode` does the same with a literal of an array of numbers. For the 600 KB of StoreServer the
/// compiler took 33 seconds to check such literals before it began with any other file, at each change of the target.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let files = module.sourceFiles.filter { $0.type == .unknown }.map(\.url).sorted { $0.path < $1.path }
        let code = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)",
                executable: try context.tool(named: "embed-files").url,
                arguments: [code.path] + files.map(\.path), inputFiles: files, outputFiles: [code])
        ]
    }
}
