//! Writes a body to a file, up to a bound, and cuts off senders who keep others waiting.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use axum::body::BodyDataStream;
use axum::http::StatusCode;
use bytesize::ByteSize;
use sandbox::unfinished;
use tempfile::NamedTempFile;
use tokio_stream::StreamExt;

use super::answer::{RefusedRequest, blocking};

/// The longest time that a body may take, in all.
const TIME: Duration = Duration::from_secs(110);
/// A sender must deliver at least [`LEAST`] bytes in each period of waiting for it.
const PERIOD: Duration = Duration::from_secs(10);
/// The least that comes in a [`PERIOD`], in bytes.
const LEAST: u64 = 64 << 10;
/// The bytes that are gathered before they are written.
const PIECE: usize = 128 << 10;
/// The longest time for which the rest of a refused body is read.
const DRAINED_FOR: Duration = Duration::from_secs(10);

/// Writes a body to a new file in this folder, piece by piece. If it is refused, nothing is left of it.
pub(super) async fn received(
    stream: &mut BodyDataStream,
    folder: impl FnOnce() -> io::Result<PathBuf> + Send + 'static,
    most: u64,
) -> Result<NamedTempFile, RefusedRequest> {
    let failed = |error: io::Error| RefusedRequest::ours(&error);
    let mut file =
        blocking(move || folder().and_then(|into| unfinished::file_in(&into)).map_err(failed))
            .await?;
    let begun = Instant::now();
    let mut pace = UploadPace::default();
    let (mut gathered, mut length) = (Vec::new(), 0_u64);
    loop {
        let piece = pace.next(stream).await?;
        let is_last = piece.is_none();
        if let Some(piece) = piece {
            length = length.saturating_add(piece.len() as u64);
            if length > most {
                return Err(too_long(most));
            }
            gathered.extend_from_slice(&piece);
        }
        if begun.elapsed() > TIME {
            let why = format!("upload timed out after {} s", TIME.as_secs());
            return Err(RefusedRequest::new(StatusCode::REQUEST_TIMEOUT, why));
        }
        if gathered.len() >= PIECE || (is_last && !gathered.is_empty()) {
            (file, gathered) = blocking(move || {
                file.write_all(&gathered).map_err(failed)?;
                gathered.clear();
                Ok((file, gathered))
            })
            .await?;
        }
        if is_last {
            break;
        }
    }
    match length {
        0 => Err(RefusedRequest::new(StatusCode::BAD_REQUEST, "no file in the request")),
        _ => Ok(file),
    }
}

pub(super) fn too_long(most: u64) -> RefusedRequest {
    let most = ByteSize(most).display().iec();
    let why = format!("the file is larger than {most}");
    RefusedRequest::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}

/// Reads the rest of a refused body, up to a bound: a client that still sends would otherwise be cut off
/// before it reads the reason.
pub(super) async fn drain(stream: &mut BodyDataStream, most: u64) {
    let mut length = 0_u64;
    let reading = async {
        while let Some(Ok(piece)) = stream.next().await {
            length = length.saturating_add(piece.len() as u64);
            if length > most {
                return;
            }
        }
    };
    // One that is too slow is cut off.
    let _ = tokio::time::timeout(DRAINED_FOR, reading).await;
}

/// The pace of a sender. Only the time in which this side has waited counts.
#[derive(Debug, Default)]
struct UploadPace {
    waited: Duration,
    /// The bytes that have come in this period.
    bytes: u64,
}

impl UploadPace {
    /// The next piece of a body; none at its end.
    async fn next(
        &mut self,
        stream: &mut BodyDataStream,
    ) -> Result<Option<axum::body::Bytes>, RefusedRequest> {
        loop {
            let begun = Instant::now();
            let left = PERIOD.saturating_sub(self.waited);
            let next = tokio::time::timeout(left, stream.next()).await;
            self.waited = self.waited.saturating_add(begun.elapsed());
            match next {
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => {
                    let why = "upload incomplete: send the file again";
                    return Err(RefusedRequest::new(StatusCode::BAD_REQUEST, why));
                }
                Ok(Some(Ok(piece))) => {
                    self.bytes = self.bytes.saturating_add(piece.len() as u64);
                    self.must_be_fast_enough()?;
                    return Ok(Some(piece));
                }
                Err(_) => self.must_be_fast_enough()?,
            }
        }
    }

    fn must_be_fast_enough(&mut self) -> Result<(), RefusedRequest> {
        if self.waited < PERIOD {
            return Ok(());
        }
        if self.bytes < LEAST {
            let (least, period) = (ByteSize(LEAST).display().iec(), PERIOD.as_secs());
            let why =
                format!("upload too slow (less than {least} in {period} s): send the file again");
            return Err(RefusedRequest::new(StatusCode::REQUEST_TIMEOUT, why));
        }
        *self = UploadPace::default();
        Ok(())
    }
}
