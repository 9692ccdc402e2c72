//! A body on its way to a file, up to a bound.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use bytesize::ByteSize;
use tempfile::NamedTempFile;
use tokio_stream::StreamExt;

use super::answer::Refusal;

/// How long a body may take, in all.
const TIME: Duration = Duration::from_secs(120);

/// Writes a body to a new file in this folder, piece by piece.
///
/// # Errors
///
/// [`Refusal`], with nothing left of it.
pub(super) async fn received(
    body: Body,
    folder: PathBuf,
    most: u64,
) -> Result<NamedTempFile, Refusal> {
    let failed = |error: io::Error| Refusal::ours(&error);
    let mut file = NamedTempFile::new_in(folder).map_err(failed)?;
    let mut stream = body.into_data_stream();
    let mut length = 0_u64;
    let writing = async {
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(|_| {
                Refusal::new(StatusCode::BAD_REQUEST, "the file was cut off, send it again")
            })?;
            length = length.saturating_add(piece.len() as u64);
            if length > most {
                let most = ByteSize(most).display().iec();
                let why =
                    format!("the file has more than {most}, expected the files of the bot alone");
                return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, why));
            }
            // A piece is short, and the disk takes it at once or fails.
            tokio::task::block_in_place(|| file.write_all(&piece)).map_err(failed)?;
        }
        Ok(())
    };
    let slow = |_| {
        let why = format!("the file has not come within {} s", TIME.as_secs());
        Refusal::new(StatusCode::REQUEST_TIMEOUT, why)
    };
    tokio::time::timeout(TIME, writing).await.map_err(slow)??;
    match length {
        0 => Err(Refusal::new(StatusCode::BAD_REQUEST, "there is no file in the request")),
        _ => Ok(file),
    }
}
