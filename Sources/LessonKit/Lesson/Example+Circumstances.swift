// SPDX-License-Identifier: Apache-2.0

extension Example {
  /// The same program, touched for a while by the person in front of it.
  public func touched(after start: Double, for seconds: Double) -> Example {
    changed { $0.touch = Circumstances.Stretch(began: start, ended: start + seconds) }
  }

  /// The same program, its process stopped for a while.
  public func stopped(after start: Double, for seconds: Double) -> Example {
    changed { $0.stop = Circumstances.Stretch(began: start, ended: start + seconds) }
  }

  /// The same program, ended after this time at the latest.
  public func limited(to limit: Duration) -> Example {
    changed { $0.limit = limit }
  }

  /// The same program, watched for this long after its end.
  public func watchedAfterwards(for time: Duration) -> Example {
    changed { $0.aftermath = time }
  }

  /// The same program, launched a second time when it has ended and nothing of it was there for a while.
  public func launchedTwice(after absence: Duration = .zero) -> Example {
    changed { ($0.launches, $0.absence) = (2, absence) }
  }

  private func changed(_ change: (inout Circumstances) -> Void) -> Example {
    var copy = self
    change(&copy.circumstances)
    return copy
  }
}
