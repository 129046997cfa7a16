// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note1: [Row] = [
    row(
      "N1-01", 1, says: "A URL string with spaces or non-ASCII text must be percent-encoded first.",
      .qualified, .independent, "today's `URL(string:)` encodes by itself",
      quote: "urlstr = [urlstr stringByAddingPercentEs…", line: 19),
    row(
      "N1-02", 2, says: "The synchronous call blocks until the server has answered; on the main thread the UI freezes.",
      .confirmed, .reproduced,
      quote: "在主线程调用同步方法,一直在等待服务器返回数据,代码会卡住", line: 15),
    row(
      "N1-03", 2, says: "It blocks the calling thread, not necessarily the main one.",
      .confirmed, .reproduced,
      quote: "同步的连接会阻塞调用它的线程,不一定是主线程", line: 28),
    row(
      "N1-04", 2, says: "The synchronous call returns the whole body as data.",
      .confirmed, .independent,
      quote: "有返回值NSData", line: 15),
    row(
      "N1-05", 3, says: "The queue-asynchronous call returns at once and the caller goes on.",
      .confirmed, .reproduced,
      quote: "开一条新的线程去发送请求,主线程继续往下走", line: 52),
    row(
      "N1-06", 3, says: "The queue argument decides where the handler runs.",
      .confirmed, .reproduced,
      quote: "决定这个block操作放在哪个线程执行", line: 53),
    row(
      "N1-07", 3, says: "UI work belongs on the main thread.",
      .confirmed, .reproduced,
      quote: "如果有刷新UI界面的操作应该放在主线程执行,不能放在子线程", line: 59),
    row(
      "N1-08", 4, says: "The queue-asynchronous call reports no progress.",
      .confirmed, .reproduced,
      quote: "没有下载进度,会影响用户体验", line: 63),
    row(
      "N1-09", 4, says: "Its memory peaks at the size of the file.",
      .confirmed, .independent,
      quote: "下载文件有多大,NSData就会占用多大的内存", line: 65),
    row(
      "N1-10", 5, says: "The response carries status line, headers and the expected length.",
      .confirmed, .independent,
      quote: "response里面有状态行和响应头", line: 100),
    row(
      "N1-11", 5, says: "Data arrives in many pieces; running total over expected length is the progress.",
      .confirmed, .independent,
      quote: "每次接收到数据,计算数据的总长度,和总大小相比,得出百分比", line: 73),
    row(
      "N1-12", 5, says: "didFinishLoading is the last message.",
      .confirmed, .reproduced,
      quote: "所有数据传输完毕之后被调用,是最后一个的通知", line: 116),
    row(
      "N1-13", 14, says: "Failure is reported through didFailWithError.",
      .confirmed, .reproduced,
      quote: "下载失败或者错误", line: 120),
    row(
      "N1-14", 5, says: "Without further settings callbacks come on the thread that created the connection.",
      .confirmed, .reproduced,
      quote: "不做设置的话是在主线程中执行之后的下载", line: 88),
    row(
      "N1-15", 5, 11, says: "With a delegate queue the programmer does not choose the thread.",
      .confirmed, .reproduced,
      quote: "添加任务,立即异步执行,具体的线程程序员不能决定", line: 388),
    row(
      "N1-16", 6, says: "suggestedFilename keeps the server's file name.",
      .confirmed, .reproduced,
      quote: "response.suggestedFilename];//下载后的文件名字不变", line: 156),
    row(
      "N1-17", 6, says: "Collecting everything and writing at the end still peaks at the file's size.",
      .confirmed, .independent,
      quote: "测试结果:也是存在内存峰值", line: 185),
    row(
      "N1-18", 6, says: "The buffer occupies memory until it is released.",
      .confirmed, .independent,
      quote: "不释放的话,内存一直被占用,文件多大被占用的就有多大", line: 182),
    row(
      "N1-19", 7, says: "Writing each piece through a file handle removes the peak.",
      .confirmed, .independent,
      quote: "彻底解决了内存峰值的问题", line: 224),
    row(
      "N1-20", 7, says: "A file handle for a path that does not exist is nil.",
      .confirmed, .independent,
      quote: "如果文件不存在,fp在实例化的结果是空", line: 207),
    row(
      "N1-21", 7, says: "Seek to the end, write, close for every piece.",
      nil, .independent, "correct; slower than one open handle where the ratio is beyond 1.2",
      quote: "凡是涉及到文件读写,打开和关闭通常是成对出现的", line: 219),
    row(
      "N1-22", 7, says: "An existing file must be removed first, since writing appends.",
      .confirmed, .independent,
      quote: "删除文件,如果文件存在,就会直接删除", line: 157),
    row(
      "N1-23", 8, says: "An output stream opened for appending removes the peak; open before, close after.",
      .confirmed, .independent,
      quote: "initToFileAtPath:… append:YES]", line: 252),
    row(
      "N1-24", 9,
      says: "In the default mode the download stops while the UI is tracking a touch, and goes on afterwards.",
      .qualified, .reproduced, "the callbacks stop; the bytes keep coming until the buffer is full",
      quote: "滑动textview下载会暂停,停止滑动后又继续下载", line: 276),
    row(
      "N1-25", 9, says: "Even with a delegate queue the download suffers from the main thread.",
      .qualified, .reproduced,
      "true where the connection starts before its queue is set, not where the queue is set first",
      quote: "指定了代理的工作队列之后,整个下载仍然会受主线程的干扰", line: 276),
    row(
      "N1-26", 9, says: "A connection that started at once stays in the default mode, whatever is scheduled later.",
      .confirmed, .reproduced,
      quote: "即使再使用scheduleInRunLoop:forMode:设置运行模式也没有用", line: 284),
    row(
      "N1-27", 9,
      says: "Created without starting, scheduled in the common modes, then started: callbacks go on while "
        + "tracking.",
      .confirmed, .reproduced,
      quote: "那么UI操作和回调的执行都将是非阻塞的", line: 284),
    row(
      "N1-28", 9, says: "Rescheduling after start, and mixing scheduling with a delegate queue, are errors.",
      .confirmed, .reproduced,
      quote: "You cannot reschedule a connection afte…", line: 290),
    row(
      "N1-29", 9, says: "A connection can be scheduled on several run loops and modes.",
      .confirmed, .reproduced,
      quote: "You can schedule a connection on multip…", line: 289),
    row(
      "N1-30", 10,
      says: "Started in a block on a global queue, the callbacks never come, even with a delegate queue set "
        + "after creation.",
      .qualified, .reproduced,
      "created without starting, given a delegate queue and then started, it gets its callbacks",
      quote: "把网络操作方法放到子线程执行以后,回调代理方法无法执行", line: 327),
    row(
      "N1-31", 10, says: "Only the main thread's run loop is started by the system.",
      .qualified, .independent,
      "on Linux the system starts none; a worker's loop does not run unless the program runs it",
      quote: "主线程runloop会自动启动,子线程runloop默认不启动", line: 329),
    row(
      "N1-32", 11, says: "`run()` on the worker brings the callbacks but never ends.",
      nil, .reproduced, "in the note's own form; with a source added, the loop never ends",
      quote: "使用这种方法使用,runloop永远释放不掉", line: 337),
    row(
      "N1-33", 11, says: "Polling the loop every 0.1 s works and is very costly.",
      nil, .independent, "more wake-ups than CFRunLoopRun; the processor time is in thousandths of a processor",
      quote: "开启一个循环,判断下载是否完成。这种方法对系统消耗非常大", line: 339),
    row(
      "N1-34", 11, says: "CFRunLoopRun with CFRunLoopStop on the saved loop ends exactly.",
      .confirmed, .independent,
      quote: "关闭runloop:要关闭指定线程上的runloop", line: 421),
    row(
      "N1-35", 11,
      says: "The thread at the start and the thread at the finish differ (delegate queue), so the starting "
        + "thread's loop must be saved.",
      .confirmed, .reproduced,
      quote: "和创建下载操作的线程是不一样的", line: 405),
    row(
      "N1-36", 1, says: "HEAD gets the headers without the body.",
      .confirmed, .independent,
      quote: "HEAD请求:请求头信息,并不返回请求数据体", line: 433),
    row(
      "N1-37", 18, says: "Moving from http to https needs no code where the certificate is trusted.",
      .confirmed, .independent,
      quote: "直接修改HTTP为HTTPS", line: 449),
    row(
      "N1-38", 19, says: "(defect in the note) `NSURLCacheStorageNotAllowed` given as a request's cache policy.",
      .defectShown, .reproduced,
      quote: "cachePolicy:NSURLCacheStorageNotAllowed", line: 297),
  ]
}
