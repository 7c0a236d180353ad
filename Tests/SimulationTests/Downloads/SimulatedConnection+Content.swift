// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService

// Requests for the bytes of content.
extension SimulatedConnection {
    func content(_ request: ContentRequest) async throws -> ContentPart {
        guard life.isAlive else { throw CancellationError() }
        world.note("\(life.name) requests the bytes \(request.range)")
        let parts = request.address.split(separator: "/").map(String.init)
        guard device.isOnline, parts.count == 4, let server = world.network.pick(), !world.network.isTroubled() else {
            try await world.scheduler.sleep(milliseconds: world.network.delay())
            throw SimulatedNetwork.failure(.notSent, "refused")
        }
        let purchase = parts[1].split(separator: ".").last.map(String.init) ?? ""
        let stream = try await open(sent(request.range), of: purchase, at: parts, by: server)
        try await world.scheduler.sleep(milliseconds: world.network.delay())
        guard life.isAlive else { throw CancellationError() }
        let body = SimulatedBody(
            stream, of: request.range.count, from: server, to: device, life, world,
            altered: { [world] in world.downloads?.altered(purchase) })
        return ContentPart(offset: request.range.lowerBound, checksum: request.checksum, bytes: body.bytes)
    }

    /// The range that the store sends under the world's mistake.
    private func sent(_ range: Range<Int64>) -> Range<Int64> {
        guard world.mistake == .resumedRangesAreShifted else { return range }
        let shift = min(range.lowerBound, 512)
        return range.lowerBound - shift..<range.upperBound - shift
    }

    /// Asks the store for bytes, at an address in its parts.
    private func open(
        _ range: Range<Int64>, of purchase: String, at parts: [String], by server: SimulatedServer
    ) async throws -> ContentStream {
        let opened = Waiter<ContentStream>()
        let ending = server.whenEnded { opened.settle(.failure(SimulatedNetwork.failure(.unanswered, "reset"))) }
        defer { server.forgetEnding(ending) }
        world.scheduler.after(world.network.delay()) { [world] in
            server.run {
                let content = try await server.service.content(
                    identifier: parts[1], expires: parts[2], signature: parts[3])
                return try await content.open(range)
            } answered: { result in
                if case .success = result { world.downloads?.opened(purchase, in: world) }
                opened.settle(result)
            }
        }
        return try await opened.wait()
    }
}
