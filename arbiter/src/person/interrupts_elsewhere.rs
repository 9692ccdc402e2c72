//! SIGINT on systems that have none: a person leaves by a command.

use std::fs::File;
use std::io::{self, BufReader};

/// Nothing ever came.
pub(super) struct Interrupts(());

impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        Ok(Interrupts(()))
    }

    pub(super) fn count(&mut self) -> io::Result<usize> {
        Ok(0)
    }

    pub(super) fn notice(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn wait(&mut self, _input: &BufReader<File>) -> io::Result<bool> {
        Ok(false)
    }
}

/// Nothing can wake it.
pub(super) struct Wake(());

impl Wake {
    pub(super) fn new() -> io::Result<Wake> {
        Ok(Wake(()))
    }
}
