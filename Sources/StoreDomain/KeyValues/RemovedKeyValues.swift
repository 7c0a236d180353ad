// SPDX-License-Identifier: Apache-2.0

/// Removed keys. They stay as rows without a value, so that other devices
/// receive the removal; the oldest are deleted when there are too many.
enum RemovedKeyValues {}
