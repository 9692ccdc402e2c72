//! Bodies of answers that a thread writes while they are sent, so that memory does not depend on their length.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::wrappers::ReceiverStream;

/// The bytes that are gathered before they are sent.
const PIECE: usize = 64 << 10;
/// The pieces that wait for a slow client; the thread waits with them.
const PIECES: usize = 2;

/// The bodies that may be written at once: each has a thread.
#[derive(Debug, Clone)]
pub(crate) struct BodySlots(Arc<Semaphore>);

impl BodySlots {
    pub(crate) fn new(at_once: usize) -> BodySlots {
        BodySlots(Arc::new(Semaphore::new(at_once)))
    }

    /// A slot for a body; none while as many as may be are being written.
    pub(crate) fn take(&self) -> Option<BodySlot> {
        Arc::clone(&self.0).try_acquire_owned().ok().map(BodySlot)
    }
}

#[derive(Debug)]
pub(crate) struct BodySlot(OwnedSemaphorePermit);

impl BodySlot {
    /// A body that a thread writes. If the thread fails, the answer ends as one that is broken off.
    pub(crate) fn body(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
    ) -> Body {
        let BodySlot(place) = self;
        let (send, sent) = mpsc::channel(PIECES);
        tokio::task::spawn_blocking(move || {
            let _place = place;
            let mut out = BufWriter::with_capacity(PIECE, BodyWriter(send.clone()));
            let written = write(&mut out).and_then(|()| out.flush());
            if let Err(error) = written {
                // What was gathered must not look like the end of it.
                let _ = out.into_parts();
                let _ = send.blocking_send(Err(error));
            }
        });
        Body::from_stream(ReceiverStream::new(sent))
    }
}

struct BodyWriter(Sender<io::Result<Bytes>>);

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes))).map_err(gone)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[test]
    fn a_body_is_whole_or_broken_off_and_no_more_are_written_than_may_be() {
        let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
        runtime.block_on(async {
            let slots = BodySlots::new(1);
            let long = vec![7; 5 * PIECE + 3];
            let expected = long.clone();
            let slot = slots.take().expect("a slot");
            assert!(slots.take().is_none());
            let body = slot.body(move |out| out.write_all(&long));
            assert!(slots.take().is_none());
            assert_eq!(to_bytes(body, usize::MAX).await.expect("it is whole"), expected);
            let broken = loop {
                // The slot is free once the thread has ended.
                let failing = |out: &mut dyn Write| {
                    out.write_all(b"a part")?;
                    Err(io::Error::other("a file is gone"))
                };
                match slots.take() {
                    Some(slot) => break slot.body(failing),
                    None => tokio::task::yield_now().await,
                }
            };
            assert!(to_bytes(broken, usize::MAX).await.is_err());
        });
    }
}
