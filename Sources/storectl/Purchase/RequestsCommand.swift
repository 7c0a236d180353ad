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
            var last: String?
            var all: [Control.TransactionAnswer] = []
            repeat {
                let page: Control.RequestsAnswer = try await control.call(
                    .requests, Control.RequestsCall(after: last))
                all += page.requests
                last = page.requests.last?.transaction
            } while last != nil
            if json { return try printJSON(all) }
            for request in all { try request.show(json: false) }
        }
    }
}
