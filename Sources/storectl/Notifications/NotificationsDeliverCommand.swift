// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct NotificationsDeliverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliver", abstract: "Set how the sandbox delivers the next notifications, for a test.",
        discussion: """
            Without an option, notifications are delivered as usual again, and those that wait are sent. A mode \
            applies to the notifications whose changes happen while it is set.
            """)

    @Option(help: ArgumentHelp("Only those of the account with this e-mail address.", valueName: "email"))
    var account: String?

    @Flag(help: "Each is sent twice.")
    var twice = false

    @Flag(help: "One waits for the next one of its original transaction, and is sent after it.")
    var outOfOrder = false

    @Option(help: ArgumentHelp("Each is sent this much later in the account's time, such as 1h.", valueName: "time"))
    var late: String?

    @Flag(help: "None is sent. resend sends one.")
    var dropped = false

    @Option(
        help: ArgumentHelp(
            "So many attempts of each fail, as if the address answered with the status 500.", valueName: "count"))
    var failures: Int64?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var call = Control.DeliveryModeCall(account: account)
            call.isSentTwice = twice
            call.isOutOfOrder = outOfOrder
            call.delay = try late.map(Self.seconds)
            call.isDropped = dropped
            call.failures = failures
            let answer: Control.DeliveryModesAnswer = try await control.call(.setDeliveryMode, call)
            try answer.show(json: json)
        }
    }

    /// The seconds of a time in which every unit has a fixed length.
    private static func seconds(_ text: String) throws -> Int64 {
        let time = try ClockDuration(text)
        guard time.months == 0 else { throw CommandFailure("--late takes weeks, days, hours, minutes and seconds.") }
        return Int64(time.days) * 86_400 + Int64(time.seconds)
    }
}

struct NotificationsModesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modes", abstract: "List how notifications are delivered, where it isn't as usual.")

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.DeliveryModesAnswer = try await control.call(
                .deliveryModes, Control.DeliveryModesCall())
            try answer.show(json: json)
        }
    }
}

extension Control.DeliveryModesAnswer {
    func show(json: Bool) throws {
        if json { return try printJSON(modes) }
        for mode in modes { print(mode.line) }
    }
}

extension Control.DeliveryModeCall {
    /// One line about the mode.
    var line: String {
        var words: [String] = []
        if isSentTwice == true { words.append("twice") }
        if isOutOfOrder == true { words.append("out of order") }
        if let delay, delay > 0 { words.append("\(delay) s late") }
        if isDropped == true { words.append("dropped") }
        if let failures, failures > 0 { words.append("after \(failures) failures") }
        return "\(account ?? "all accounts")  \(words.joined(separator: ", "))"
    }
}
