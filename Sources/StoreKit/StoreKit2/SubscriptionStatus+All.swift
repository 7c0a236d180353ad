// SPDX-License-Identifier: Apache-2.0

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension Product.SubscriptionInfo.Status {
    /// The customer's subscriptions of all groups, one group at a time, in the
    /// order of the groups' identifiers. Ends after the last group, and with no
    /// group when StoreKit can't start.
    public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> {
        let groups = StatusGroups()
        return AsyncStream { await groups.next() }
    }
}

/// The groups of one reading of all subscriptions.
private actor StatusGroups {
    typealias Group = (groupID: String, statuses: [Product.SubscriptionInfo.Status])

    private var groups: [Group]?

    func next() async -> Group? {
        if groups == nil { groups = await read() }
        guard groups?.isEmpty == false else { return nil }
        return groups?.removeFirst()
    }

    private func read() async -> [Group] {
        let statuses = try? await AgentHost.shared.perform(.subscriptionStatus) { agent in
            try await SignedAccess.prepare(agent)
            return try await Product.SubscriptionInfo.statuses(of: nil, agent)
        }
        let groups = Dictionary(grouping: statuses ?? []) {
            $0.transaction.unsafePayloadValue.subscriptionGroupID ?? ""
        }
        return groups.sorted { $0.key < $1.key }.map { (groupID: $0.key, statuses: $0.value) }
    }
}
