// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreScenarios

struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Play scripts against a sandbox store, as tests of a seller's server.",
        discussion: "docs/scenarios.md describes the files.",
        subcommands: [ScenarioRunCommand.self, ScenarioListCommand.self, ScenarioShowCommand.self])
}

struct ScenarioListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the scenarios that come with storectl, and why sellers test them.")

    func run() throws {
        for name in ShippedScenario.names {
            print("\(name): \(try ShippedScenario.named(name).scenario().why)")
        }
    }
}

struct ScenarioShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the file of a scenario that comes with storectl, to change it.")

    @Argument(help: "The scenario's name.")
    var name: String

    func run() throws {
        guard ShippedScenario.names.contains(name) else {
            throw ValidationError("There is no scenario \"\(name)\". storectl scenario list prints the names.")
        }
        print(try ShippedScenario.named(name).text, terminator: "")
    }
}
