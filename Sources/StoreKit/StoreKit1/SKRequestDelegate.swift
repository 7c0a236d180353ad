// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Hears how a request ended.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request is answered. Optional.
    func requestDidFinish(_ request: SKRequest)
    /// There was no answer. Optional.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

// The methods are optional for Apple: an app that calls them itself, as mocks
// do, writes `delegate.requestDidFinish?(request)`. There are no optional
// methods without Objective-C. A property of the method's name, which is
// optional and can be called, takes their place; a call without a question
// mark finds the method.
extension SKRequestDelegate {
    /// The method, for calls of the form `delegate.requestDidFinish?(request)`.
    public var requestDidFinish: SKOptionalMethods.RequestDidFinish? { .init(delegate: self) }
    /// The method, for calls of the form
    /// `delegate.request?(request, didFailWithError: error)`.
    public var request: SKOptionalMethods.Request? { .init(delegate: self) }
}

/// What stands behind a call such as `delegate.requestDidFinish?(request)`.
///
/// Not Apple's: its types are never named in an app.
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
