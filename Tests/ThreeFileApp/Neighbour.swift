// SPDX-License-Identifier: Apache-2.0

/// A type of an app, in a target whose name could have clashed with one of
/// ours.
public struct Neighbour {}
