// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AppReceipts
@testable import StoreAPI

/// A type of message between a device and the store, and the check of each
/// body that its decoder accepts.
struct MessageCheck: Sendable {
    let name: String
    let run: @Sendable (Data) -> Void

    init<Message: Codable & Sendable>(_ type: Message.Type) {
        name = Self.name(of: type)
        run = { checkMessage(type, $0) }
    }

    static func name(of type: Any.Type) -> String { String(reflecting: type) }

    private static let calls: [any StoreCall.Type] = [
        RegisterCall.self, ProductsCall.self, PaymentCall.self, FinishCall.self, RestoreCall.self, ReceiptCall.self,
        TransactionReceiptsCall.self, QueueCall.self, SignOutCall.self, KeyValuesCall.self, ContentCall.self,
        RedemptionCall.self, PriceConsentCall.self, ItemCall.self,
    ]

    /// The calls, their answers, the request for events, and the error that
    /// replaces an answer.
    static let all: [MessageCheck] = {
        precondition(Set(calls.map { $0.path }) == Set(StorePath.all), "a call is missing here")
        func callAndAnswer<Call: StoreCall>(_ call: Call.Type) -> [MessageCheck] {
            [MessageCheck(call), MessageCheck(Call.Answer.self)]
        }
        return calls.flatMap { callAndAnswer($0) } + [
            MessageCheck(EventsCall.self), MessageCheck(StoreFailureBody.self),
        ]
    }()

    /// Checks an input: the index of a type in `all`, in one byte, and a body.
    static func run(_ input: [UInt8]) {
        guard let place = input.first else { return }
        all[Int(place) % all.count].run(Data(input.dropFirst()))
    }

    static func input(_ message: some Encodable) throws -> Data {
        guard let place = all.firstIndex(where: { $0.name == name(of: type(of: message)) }) else {
            preconditionFailure("\(type(of: message)) is no message")
        }
        return Data([UInt8(place)]) + (try StoreCoding.encode(message))
    }
}

/// Checks that an accepted body is within the limits that its fields declare,
/// and that the message is the same when it is encoded and decoded again.
private func checkMessage<Message: Codable>(_ type: Message.Type, _ body: Data) {
    guard let message = try? StoreCoding.decode(type, from: body) else { return }
    checkLimits(of: message)
    guard let written = try? StoreCoding.encode(message), let again = try? StoreCoding.decode(type, from: written)
    else {
        preconditionFailure("a message that was read can't be written and read")
    }
    precondition(isEqual(message, again), "written and read again, the message is another one")
    precondition((try? StoreCoding.encode(again)) == written, "one message has two texts")
    checkNumbers(in: Array(written))
}

/// Checks an event like a message. The first line of an input is the event's
/// name.
func checkEvent(_ input: [UInt8]) {
    let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let frame = StoreEventFrame(
        name: String(decoding: parts[0], as: UTF8.self),
        data: String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self))
    guard let event = try? frame.event() else { return }
    checkLimits(of: event)
    guard let written = try? StoreEventFrame(event), let again = try? written.event() else {
        preconditionFailure("an event that was read can't be written and read")
    }
    precondition(written.name == frame.name, "written again, the event has another name")
    precondition(again == event, "written and read again, the event is another one")
    precondition(!written.data.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a line of a stream ends within the data")
    checkNumbers(in: Array(written.data.utf8))
}

private func isEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any Hashable, let right = right as? any Hashable else { return true }
    return AnyHashable(left) == AnyHashable(right)
}

// MARK: - Limits

private protocol LimitedField {
    var refusal: String? { get }
}

extension Limited: LimitedField {
    fileprivate var refusal: String? { Limit.refusal(of: wrappedValue) }
}

/// Checks that each field, at any depth, has a value that its limit allows.
func checkLimits(of value: Any) {
    if let refusal = (value as? any LimitedField)?.refusal { preconditionFailure("a field \(refusal)") }
    for child in Mirror(reflecting: value).children { checkLimits(of: child.value) }
}

/// Checks that each number, also that of a field without a limit, can be added
/// to another one without overflow.
private func checkNumbers(in json: [UInt8]) {
    guard let value = try? JSONValue(parsing: json) else { preconditionFailure("an encoded message isn't JSON") }
    checkNumbers(in: value)
}

private func checkNumbers(in value: JSONValue) {
    switch value {
    case .number(let text):
        guard let number = Int64(text), number.magnitude <= largestNumber.magnitude else {
            preconditionFailure("the number \(text) was accepted")
        }
    case .array(let values): values.forEach(checkNumbers(in:))
    case .object(let members): members.values.forEach(checkNumbers(in:))
    case .null, .bool, .string: break
    }
}
