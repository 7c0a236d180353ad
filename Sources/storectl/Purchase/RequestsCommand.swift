// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the requests to buy and the interrupted purchases that wait for a decision.")

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let all = try await control.all(.requests, \Control.RequestsAnswer.requests, by: \.transaction) {
                Control.RequestsCall(after: $0)
            }
            if json { return try printJSON(all) }
            for request in all { try request.show(json: false) }
        }
    }
}
