//! The report of a check that is being made, for those who watch it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A report as far as it is. Its clones are one report.
#[derive(Debug, Clone, Default)]
pub struct ReportSoFar(Arc<Mutex<Vec<u8>>>);

impl ReportSoFar {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns its text; none before anything was written.
    pub fn text(&self) -> Option<String> {
        let bytes = self.bytes();
        (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns what was written.
    pub(crate) fn content(&self) -> Vec<u8> {
        self.bytes().clone()
    }
}

impl Write for ReportSoFar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
