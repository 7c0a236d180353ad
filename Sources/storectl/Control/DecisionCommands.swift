// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List what waits for a decision: requests to buy, and interrupted purchases.")

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
            if json { return try control.printJSON(all) }
            for request in all { try control.show(request, json: false) }
        }
    }
}

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a request to buy, as a parent does: it is charged and delivered.")

    @Argument(help: "The request's number, as requests lists it.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run { try await control.act(.approve, on: transaction, json: json) }
    }
}

struct DeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request to buy, as a parent does: its payment fails.")

    @Argument(help: "The request's number, as requests lists it.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run { try await control.act(.decline, on: transaction, json: json) }
    }
}

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Do what an interrupted purchase waits for: it is charged and delivered.")

    @Argument(help: "The purchase's number, as requests lists it.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run { try await control.act(.resolve, on: transaction, json: json) }
    }
}

struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Refund a purchase, whether the app has finished it or not.")

    @Argument(help: "The transaction's number.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run { try await control.act(.refund, on: transaction, json: json) }
    }
}
