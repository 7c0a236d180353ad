// SPDX-License-Identifier: Apache-2.0

/// Something that an app has in a target whose name could have clashed with one of ours.
public struct Neighbour {}
