//! Sizes of terminals on systems that send no signal for them: the next picture has the new one.

use std::io;
use std::sync::{Arc, Mutex};

use crate::picture::Drawn;

/// Draws nothing.
pub(crate) struct Resizes(());

impl Resizes {
    pub(crate) fn new(_: Arc<Mutex<Drawn>>) -> io::Result<Resizes> {
        Ok(Resizes(()))
    }
}
