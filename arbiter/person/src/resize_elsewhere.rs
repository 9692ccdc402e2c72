//! Sizes of terminals on systems that send no signal for them: the next picture has the new one.

use std::io;
use std::sync::{Arc, Mutex};

use crate::picture::DrawnScreen;

/// Draws nothing.
pub(crate) struct ResizeRedraw(());

impl ResizeRedraw {
    pub(crate) fn new(_: Arc<Mutex<DrawnScreen>>) -> io::Result<ResizeRedraw> {
        Ok(ResizeRedraw(()))
    }
}
