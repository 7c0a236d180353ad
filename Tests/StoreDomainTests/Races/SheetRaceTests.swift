// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Sheets that are confirmed many times at the same moment, on two nodes.
struct SheetRaceTests {
    @Test(
        "One sheet that is confirmed by 50 tasks: one charge, one purchase, one queue entry", arguments: Engine.stores)
    func oneSheet(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let customer = try await nodes.customer(0)
            let phone = customer.phone
            for product in ["juice", "apple"] {
                let sheet = try phone.token(try await phone.ask(product, request: product).sheet)

                let errors = await press(Array(repeating: sheet, count: 50), as: customer.account, nodes)

                #expect(errors.count == 49, "\(product)")
                let codes = errors.map { ($0 as? DomainError)?.code }
                #expect(codes.allSatisfy { $0 == .sheetUsed || $0 == .underWay }, "\(product): \(errors)")
            }
            #expect(try await nodes.first.count("payment") == 2)
            #expect(try await nodes.first.count("purchase") == 2)
            #expect(try await nodes.first.count("queue_entry") == 2)
            #expect(try await nodes.first.ledger() == [990, 490])
            try await nodes.first.checkMoney()
        }
    }

    @Test("Twenty sheets for one apple, each of another device: it is paid once", arguments: Engine.stores)
    func oneProduct(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let customer = try await nodes.customer(0)
            var sheets: [String] = []
            for number in 1...20 {
                let device = try await nodes[number].addDevice(UInt8(number))
                sheets.append(try device.token(try await device.ask("apple", request: "r").sheet))
            }

            let errors = await press(sheets, as: customer.account, nodes)

            let codes = errors.map { ($0 as? DomainError)?.code }
            #expect(codes.allSatisfy { $0 == .underWay }, "\(errors)")
            #expect(try await nodes.first.count("payment") == 1)
            // The others got it for nothing, because the account owns it.
            let purchases = sheets.count - errors.count
            let expected: [Int64] = [990] + Array(repeating: 0, count: max(0, purchases - 1))
            #expect(try await nodes.first.ledger() == expected)
            try await nodes.first.checkMoney()
        }
    }

    @Test("Two nodes that end the same sheets at the same moment end each once", arguments: Engine.stores)
    func expiring(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let phone = try await nodes.first.addDevice()
            for number in 0..<10 { _ = try await phone.ask("apple", request: "\(number)") }
            nodes.first.clock.advance(by: Sheet.lifetime)

            async let one = ExpiringSheets(nodes.first.context)()
            async let other = ExpiringSheets(nodes.second.context)()

            #expect(try await one.count + other.count == 10)
            #expect(try await nodes.first.count("device_news") == 10)
            #expect(try await nodes.first.count("request", where: "status = 'failed'") == 10)
        }
    }

    /// Confirms every sheet in a task of its own, in turn on the two nodes;
    /// returns the errors.
    private func press(_ sheets: [String], as account: Account, _ nodes: Nodes) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self, returning: [any Error].self) { group in
            for (number, sheet) in sheets.enumerated() {
                let service = nodes[number].service
                group.addTask {
                    do {
                        _ = try await service.buy(onSheet: sheet, as: account, shown: nil)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var errors: [any Error] = []
            for await error in group {
                if let error { errors.append(error) }
            }
            return errors
        }
    }
}
