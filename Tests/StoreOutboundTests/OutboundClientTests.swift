// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreOutbound

/// The store's requests to sellers' servers.
struct OutboundClientTests {
    private func result(
        timeLimit: Duration = .beyondTests, _ answer: @escaping @Sendable (String) -> Data
    ) async throws -> (result: NotificationResult, heads: [String]) {
        // It stays open: a thread that still answers would accept at the next server's descriptor.
        let server = try StubServer(answer)
        let client = OutboundClient(.sandbox, timeLimit: timeLimit)
        let result = try await client.send("{}", to: server.address.absoluteString + "/notify")
        return (result, server.requests)
    }

    @Test("A notification is posted as JSON, and 200 to 206 are a success")
    func posted() async throws {
        for status in ["200 OK", "202 Accepted", "206 Partial Content"] {
            let (result, heads) = try await result { _ in StubServer.answer(status) }
            #expect(result == .success)
            #expect(heads.first?.hasPrefix("POST /notify HTTP/1.1\r\n") == true)
            #expect(heads.first?.lowercased().contains("content-type: application/json") == true)
        }
        for status in ["207 Multi-Status", "400 Bad Request", "500 Internal Server Error"] {
            let (result, _) = try await result { _ in StubServer.answer(status) }
            #expect(result == .unsuccessfulStatus)
        }
    }

    @Test("A redirect isn't followed")
    func redirect() async throws {
        let target = try StubServer { _ in StubServer.answer("200 OK") }
        let address = target.address.absoluteString
        let (result, heads) = try await result { _ in StubServer.answer("302 Found", ["Location": address]) }
        #expect(result == .circularRedirect && heads.count == 1)
        #expect(target.requests.isEmpty)
    }

    @Test("A long answer isn't read to its end, and its status decides")
    func longAnswer() async throws {
        let long = Data(repeating: 0x20, count: 4 * OutboundClient.answerBytes)
        let (result, _) = try await result { _ in StubServer.answer("200 OK", [:], long) }
        #expect(result == .success)
    }

    @Test("An answer that doesn't come ends the attempt")
    func silence() async throws {
        // The server answers after the client's time has ended.
        let gate = Gate()
        let (late, _) = try await result(timeLimit: .seconds(5)) { _ in
            gate.hold()
            return StubServer.answer("200 OK")
        }
        gate.open()
        #expect(late == .timedOut)
        let (cut, _) = try await result { _ in Data() }
        #expect(cut == .prematureClose)

        let server = try StubServer { _ in StubServer.answer("200 OK") }
        let address = server.address.absoluteString
        server.close()
        #expect(try await OutboundClient(.sandbox, timeLimit: .beyondTests).send("{}", to: address) == .socketIssue)
    }
}
