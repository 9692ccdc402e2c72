//! Systems that have no SIGINT, and no signal for a new size: a person leaves by a command, and the next picture has the
//! new size.

use std::fs::File;
use std::io::{self, BufReader};
use std::sync::{Arc, Mutex};

use crate::picture::DrawnScreen;
use crate::termination::TerminationSignals;

/// Nothing ever came.
pub(crate) struct InterruptSignals(());

impl InterruptSignals {
    pub(crate) fn new(_closing: TerminationSignals) -> io::Result<InterruptSignals> {
        Ok(InterruptSignals(()))
    }

    pub(crate) fn is_closing(&self) -> bool {
        false
    }

    pub(crate) fn count(&mut self) -> io::Result<usize> {
        Ok(0)
    }

    pub(crate) fn notice(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    pub(crate) fn wait(&mut self, _input: &BufReader<File>) -> io::Result<bool> {
        Ok(false)
    }
}

/// Nothing can wake it.
pub(crate) struct ReadInterrupter(());

impl ReadInterrupter {
    pub(crate) fn new() -> io::Result<ReadInterrupter> {
        Ok(ReadInterrupter(()))
    }
}

/// Draws nothing.
pub(crate) struct ResizeRedraw(());

impl ResizeRedraw {
    pub(crate) fn new(_: Arc<Mutex<DrawnScreen>>) -> io::Result<ResizeRedraw> {
        Ok(ResizeRedraw(()))
    }
}
