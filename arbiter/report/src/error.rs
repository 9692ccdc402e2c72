//! The reasons why there is no report.

use std::io;

use text::system_error;
use thiserror::Error;

/// The reason why there is no report; one line.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The folder cannot be used, or a source cannot be read.
    #[error("{0}")]
    Usage(String),
    /// A source is not in order.
    #[error("{0}")]
    Wrong(String),
    /// The machine failed.
    #[error("cannot write the report: {}", system_error(.0))]
    Machine(#[from] io::Error),
}
