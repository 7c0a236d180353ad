// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreScenarios

struct ScenarioRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play scenarios, each on an empty store, and report like a test runner.",
        discussion: """
            The command starts a store in memory and stops it at the end. With --store it uses a running sandbox \
            instead, whose purchases, accounts and clocks it deletes before each scenario. The exit status is 1 when a \
            scenario has failed.
            """)

    @Argument(help: "Files, or names of scenarios that come with storectl. Default: all of these.")
    var scenarios: [String] = []

    @Option(
        help: ArgumentHelp(
            "A running sandbox, which is emptied. Its token is read from OPENSTOREKIT_CONTROL_TOKEN.",
            valueName: "url"))
    var store: String?

    @Option(help: ArgumentHelp("Also write the report as JUnit's XML.", valueName: "file"))
    var junit: String?

    func run() async throws {
        try await storectl.run {
            let files = scenarios.isEmpty ? ShippedScenario.names : scenarios
            let report = try await ScenarioPlace.using(store) { place in
                var report = ScenarioReport()
                for file in files {
                    let result = await Self.play(file, at: place)
                    print(result.line)
                    report.results.append(result)
                }
                return report
            }
            print(report.summary)
            if let junit { try Data(report.junit.utf8).write(to: URL(fileURLWithPath: junit), options: .atomic) }
            guard report.failures == 0 else { throw ExitCode(1) }
        }
    }

    /// Plays one scenario on the emptied store.
    private static func play(_ file: String, at place: ScenarioPlace) async -> ScenarioReport.Result {
        let clock = ContinuousClock()
        let start = clock.now
        var name = file
        var failure: ScenarioFailure?
        do {
            let read = try ScenarioSource(file)
            let scenario = try read.scenario()
            name = scenario.name
            try await place.play(scenario, configuration: try read.configuration(of: scenario))
        } catch let error as ScenarioFailure {
            failure = error
        } catch {
            failure = ScenarioFailure("\(error)")
        }
        let milliseconds = (clock.now - start) / .milliseconds(1)
        return ScenarioReport.Result(file: file, name: name, milliseconds: Int64(milliseconds), failure: failure)
    }
}
