// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Receives the end of a request.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has finished. Optional.
    func requestDidFinish(_ request: SKRequest)
    /// The request has failed. Optional.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

// These methods are optional on Apple's platforms: an app that calls them
// itself, a mock for example, writes `delegate.requestDidFinish?(request)`.
// Without Objective-C there are no optional methods. An optional, callable
// property with the method's name supports such calls. A call without a
// question mark selects the method.
extension SKRequestDelegate {
    /// The method, for calls of the form `delegate.requestDidFinish?(request)`.
    public var requestDidFinish: SKOptionalMethods.RequestDidFinish? { .init(delegate: self) }
    /// The method, for calls of the form
    /// `delegate.request?(request, didFailWithError: error)`.
    public var request: SKOptionalMethods.Request? { .init(delegate: self) }
}

/// The types behind calls such as `delegate.requestDidFinish?(request)`.
///
/// An addition to Apple's API; apps do not name these types.
public enum SKOptionalMethods {
    /// ``SKRequestDelegate/requestDidFinish(_:)``
    public struct RequestDidFinish {
        let delegate: any SKRequestDelegate

        /// Calls the method.
        public func callAsFunction(_ request: SKRequest) {
            delegate.requestDidFinish(request)
        }
    }

    /// ``SKRequestDelegate/request(_:didFailWithError:)``
    public struct Request {
        let delegate: any SKRequestDelegate

        /// Calls the method.
        public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
            delegate.request(request, didFailWithError: error)
        }
    }
}
