// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Weir

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
  /// The response to a request.
  ///
  /// ```swift
  /// session.response(to: request).retry(upTo: 2)
  ///   .subscribe(next: { print($0.data.count) }, failed: { print($0) })
  /// ```
  ///
  /// Each subscription makes the request; disposing cancels it. Sends one value, the whole body with the
  /// response, and completes. A response with an error status is a value, too; the signal fails only if there
  /// is no response, or if its body breaks off, with the error of the session. Delivered on the queue of the
  /// session's delegate. The session buffers the body, whatever its size. Using a session that was
  /// invalidated stops the process, as it always does in Foundation.
  ///
  /// ReactiveObjC: `+[NSURLConnection rac_sendAsynchronousRequest:]`.
  public func response(to request: URLRequest) -> Signal<(data: Data, response: URLResponse), any Error> {
    .create { [self] observer in
      let task = dataTask(with: request) { data, response, error in
        if let data, let response {
          observer.send((data, response))
          observer.complete()
        } else {
          // Dropped if the request was cancelled by disposing.
          observer.fail(error ?? URLError(.unknown))
        }
      }
      task.resume()
      return ActionDisposable { task.cancel() }
    }
  }
}
