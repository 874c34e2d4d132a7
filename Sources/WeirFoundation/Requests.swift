// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Weir

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// The answer to a request.
  ///
  /// ```swift
  /// session.response(to: request).retry(upTo: 2)
  ///   .subscribe(next: { print($0.data.count) }, failed: { print($0) })
  /// ```
  ///
  /// Each subscription makes the request; disposing it cancels it. Sends one value, all of the body with the
  /// response, and completes. An answer with a status of failure is an answer; what fails the signal is that
  /// there is none, with the error of the session. Delivered on the queue of the session's delegate. The
  /// session buffers the body, whatever its size. One that was invalidated stops the process, as Foundation
  /// does for whoever uses it.
  ///
  /// ReactiveObjC: `+[NSURLConnection rac_sendAsynchronousRequest:]`.
  public func response(to request: URLRequest) -> Signal<(data: Data, response: URLResponse), any Error> {
    .create { [self] observer in
      let task = dataTask(with: request) { data, response, error in
        if let data, let response {
          observer.send((data, response))
          observer.complete()
        } else {
          // Dropped, if it is that of a request which was cancelled.
          observer.fail(error ?? URLError(.unknown))
        }
      }
      task.resume()
      return ActionDisposable { task.cancel() }
    }
  }
}
