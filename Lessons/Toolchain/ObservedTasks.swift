// SPDX-License-Identifier: Apache-2.0
import SessionAPI

// FoundationNetworking's names, declared in the example's own module, so that the example calls these.
extension URLSession {
  /// A session whose delegate is called by way of a recorder.
  convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    self.init(unobserved: configuration, delegate: delegate.map(SessionRecorder.around), queue: queue)
  }

  /// The delegate that the program gave.
  var delegate: (any URLSessionDelegate)? {
    let delegate = unobservedDelegate
    return (delegate as? SessionRecorder)?.wrapped ?? delegate
  }

  func dataTask(with request: URLRequest) -> URLSessionDataTask { ObservedLoads.made(unobservedData(request)) }
  func dataTask(with url: URL) -> URLSessionDataTask { ObservedLoads.made(unobservedData(url)) }
  func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    ObservedLoads.made(unobservedDownload(request))
  }
  func downloadTask(with url: URL) -> URLSessionDownloadTask { ObservedLoads.made(unobservedDownload(url)) }
  func downloadTask(withResumeData data: Data) -> URLSessionDownloadTask {
    ObservedLoads.made(unobservedResume(data))
  }
  func uploadTask(with request: URLRequest, from body: Data) -> URLSessionUploadTask {
    ObservedLoads.made(unobservedUpload(request, body))
  }
  func uploadTask(with request: URLRequest, fromFile file: URL) -> URLSessionUploadTask {
    ObservedLoads.made(unobservedUpload(request, file))
  }
  func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    ObservedLoads.made(unobservedStreamed(request))
  }
}

// The same with handlers.
extension URLSession {
  func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
    let load = HandlersLoad()
    return load.made(unobservedData(request, load.data(completionHandler)))
  }
  func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
    let load = HandlersLoad()
    return load.made(unobservedData(url, load.data(completionHandler)))
  }
  func downloadTask(with request: URLRequest, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    let load = HandlersLoad()
    return load.made(unobservedDownload(request, load.file(completionHandler)))
  }
  func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    let load = HandlersLoad()
    return load.made(unobservedDownload(url, load.file(completionHandler)))
  }
  func downloadTask(withResumeData data: Data, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
    let load = HandlersLoad()
    return load.made(unobservedResume(data, load.file(completionHandler)))
  }
  func uploadTask(
    with request: URLRequest, from body: Data?, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    let load = HandlersLoad()
    return load.made(unobservedUpload(request, body, load.data(completionHandler)))
  }
  func uploadTask(
    with request: URLRequest, fromFile file: URL, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    let load = HandlersLoad()
    return load.made(unobservedUpload(request, file, load.data(completionHandler)))
  }
}

extension URLSessionTask {
  /// The delegate that the program gave, which is called by way of a recorder.
  var delegate: (any URLSessionTaskDelegate)? {
    get {
      let delegate = unobservedDelegate
      return (delegate as? SessionRecorder)?.wrapped as? any URLSessionTaskDelegate ?? delegate
    }
    set {
      unobservedDelegate = newValue.map { SessionRecorder.around($0) as? any URLSessionTaskDelegate ?? $0 }
    }
  }
}
