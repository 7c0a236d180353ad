// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct PresenterTests {
    private let device: Device
    private let sheet = URL(fileURLWithPath: "/sheet/1")

    init() throws {
        device = try Device()
    }

    private func script(_ text: String) throws -> ScriptPresenter {
        let path = device.folder.appendingPathComponent("script").path
        try TestProgram.write(text, to: path)
        return ScriptPresenter(path: path)
    }

    @Test("A script gets the sheet's address as its only argument")
    func scriptGetsTheAddressAsItsOnlyArgument() async throws {
        let note = device.folder.appendingPathComponent("note").path

        try await script("echo $# $1 > \(note)").present(sheet)

        #expect(try String(contentsOfFile: note, encoding: .utf8) == "1 \(sheet.absoluteString)\n")
    }

    @Test("A failing script is an error with the script's message and its status")
    func failingScriptIsAnErrorWithItsOwnWords() async throws {
        let presenter = try script("echo no display >&2; exit 3")

        let error = await #expect(throws: AgentError.self) { try await presenter.present(sheet) }
        #expect(error?.code == .sheetProgram)
        let message = error?.message ?? ""
        #expect(message.contains("no display"), "\(message)")
        #expect(message.contains("status 3"), "\(message)")
    }

    @Test("A missing program is an error") func missingProgramIsAnError() async throws {
        await #expect(throws: AgentError(.sheet, "")) {
            try await BrowserPresenter(command: "/nowhere/browser").present(sheet)
        }
    }

    @Test("A script that isn't executable is an error") func scriptThatCannotBeRunIsAnError() async throws {
        let file = device.folder.appendingPathComponent("plain")
        try Data("#!/bin/sh\n".utf8).write(to: file)

        await #expect(throws: AgentError(.sheet, "")) { try await ScriptPresenter(path: file.path).present(sheet) }
    }

    @Test("A child process inherits no open file of the agent") func childInheritsNoneOfTheAgentsFiles() async throws {
        let process = try device.process(ScriptedStore())
        let note = device.folder.appendingPathComponent("open").path

        try await script("ls -l /proc/self/fd > \(note)").present(sheet)

        let files = try String(contentsOfFile: note, encoding: .utf8)
        #expect(!files.contains(process.agent.presence.identifier))
        #expect(!files.contains("journal.sqlite"))
    }
}
