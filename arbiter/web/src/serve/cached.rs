//! What was rendered, for as long as the source has not changed.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

/// How many texts are kept.
const MOST: usize = 100;
/// How much they may be together, in bytes.
const ROOM: usize = 4 << 20;

/// Rendered texts by their names.
#[derive(Debug, Default)]
pub(super) struct Cached {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    version: u64,
    texts: BTreeMap<String, Bytes>,
    bytes: usize,
}

impl Cached {
    /// The text of this name in this version of the source, which is made only if it is not there.
    ///
    /// # Errors
    ///
    /// What `make` gives.
    pub(super) fn text<E>(
        &self,
        version: u64,
        name: &str,
        make: impl FnOnce() -> Result<Option<String>, E>,
    ) -> Result<Option<Bytes>, E> {
        // It stays locked while a text is made: a hundred pages that ask for it wait, and it is made once.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.version != version {
            *kept = Kept { version, ..Kept::default() };
        }
        if let Some(text) = kept.texts.get(name) {
            return Ok(Some(text.clone()));
        }
        let Some(text) = make()?.map(Bytes::from) else { return Ok(None) };
        if kept.texts.len() >= MOST || kept.bytes + text.len() > ROOM {
            (kept.texts, kept.bytes) = (BTreeMap::new(), 0);
        }
        if text.len() <= ROOM {
            kept.bytes += text.len();
            kept.texts.insert(name.to_owned(), text.clone());
        }
        Ok(Some(text))
    }
}
