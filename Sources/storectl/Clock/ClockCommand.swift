// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show and move the time of a test account.",
        discussion: """
            Everything that falls due is carried out in order, each event at its own time. The command waits for it \
            and prints a line an event. When the command or the store ends before the last one, the store carries out \
            the rest later; storectl clock advance ACCOUNT 0s waits for it.
            """,
        subcommands: [
            ClockShowCommand.self, ClockSetCommand.self, ClockAdvanceCommand.self, ClockSpeedCommand.self,
        ])
}

/// The account whose clock a command moves, and the form of the output.
struct ClockArguments: ParsableArguments {
    @Argument(help: "The account's e-mail address.")
    var account: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false
}

struct ClockShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the time of an account, and the speed of its renewals.")

    @OptionGroup var arguments: ClockArguments

    func run() async throws {
        try await storectl.run {
            let clock: Control.ClockAnswer = try await arguments.control.call(
                .clock, Control.ClockCall(email: arguments.account))
            if arguments.json { return try printJSON(clock) }
            print(clock.line)
        }
    }
}

struct ClockSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set the time of an account: forward, or back to its last event.")

    @OptionGroup var arguments: ClockArguments

    @Argument(help: "The time, such as 2026-03-01T00:00:00Z or 2026-03-01.")
    var time: String

    func run() async throws {
        try await arguments.move(Control.MoveClockCall(email: arguments.account, to: time))
    }
}

struct ClockAdvanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance", abstract: "Let time pass for an account.",
        discussion: """
            DURATION has numbers with the units y, mo, w, d, h, m and s, such as 3d, 12h or 1y2w. Years, months, weeks \
            and days are those of the calendar on which paid periods end.
            """)

    @OptionGroup var arguments: ClockArguments

    @Argument(help: "The time that passes.")
    var duration: String?

    @Flag(help: "Up to the next event of a subscription.")
    var toNextEvent = false

    func validate() throws {
        guard (duration == nil) == toNextEvent else {
            throw ValidationError("Give either a length of time, such as 3d, or --to-next-event.")
        }
    }

    func run() async throws {
        try await arguments.move(
            Control.MoveClockCall(email: arguments.account, by: duration, toNextEvent: toNextEvent ? true : nil))
    }
}

struct ClockSpeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed", abstract: "Set the speed of an account's renewals.",
        discussion: """
            The periods of a speed such as month=5m are shortened by Apple's table, and those of every=10s are equal. \
            real is the calendar. Running periods keep their ends.
            """)

    @OptionGroup var arguments: ClockArguments

    @Argument(help: "The speed, such as month=5m.")
    var speed: String

    func run() async throws {
        try await arguments.move(Control.MoveClockCall(email: arguments.account, speed: speed))
    }
}
