//! How things are said: counts, tables, labels, excerpts, and words as a shell reads them.

pub mod colours;
pub(crate) mod columns;
mod counted;
pub mod excerpt;
pub(crate) mod labelled;
pub mod notice;
pub(crate) mod shell;

pub use counted::counted;
