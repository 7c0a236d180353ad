// SPDX-License-Identifier: Apache-2.0

/// A row of which the live page makes an entry.
enum ActivityRow: Sendable {
    case request(DeviceRequest.Listed)
    case notification(StoreNotification)
    case problem(SandboxProblem.Kept)

    /// When it was asked or ordered.
    var at: WallTime {
        switch self {
        case .request(let asked): asked.at
        case .notification(let sent): sent.created
        case .problem(let kept): kept.at
        }
    }

    /// Whether it is an account's, or came from one of its devices before a
    /// sign-in.
    func isOf(_ tester: AccountIdentifier, on devices: Set<DeviceIdentifier>) -> Bool {
        switch self {
        case .request(let asked):
            asked.request.account.map { $0 == tester } ?? devices.contains(asked.request.device)
        case .notification(let sent): sent.account == tester
        case .problem: false
        }
    }
}
